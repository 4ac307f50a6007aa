<?php
// Prints cards as sabre/vobject reads them: cards.php < CARDS. Each is a list of the name, birthday,
// anniversary, numbers, and whether there is a picture.
require 'Sabre/VObject/autoload.php';

$labelled = function ($card, $tel) {
    foreach ($card->select('X-ABLABEL') as $label) {
        if ($tel->group !== null && $label->group === $tel->group) {
            return "$label->value $tel->value";
        }
    }
    return $tel->value;
};

$shown = [];
$cards = new Sabre\VObject\Splitter\VCard(STDIN);
while ($card = $cards->getNext()) {
    $phones = array_map(fn($tel) => $labelled($card, $tel), $card->select('TEL'));
    $issues = array_column($card->validate(), 'message');
    $shown[] = [
        implode(' ', [(string) $card->FN, ...$issues]),
        (string) $card->BDAY,
        (string) ($card->ANNIVERSARY ?? $card->{'X-ANNIVERSARY'}),
        implode(' ', $phones),
        isset($card->PHOTO),
    ];
}
echo json_encode($shown);
