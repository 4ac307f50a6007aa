<?php
// Prints the events of a calendar as sabre/vobject reads them: calendars.php < CALENDAR.
require 'Sabre/VObject/autoload.php';

function written($property)
{
    $time = $property->getDateTime();
    if (!$property->hasTime()) {
        return $time->format('Y-m-d');
    }
    return $time->setTimezone(new DateTimeZone('UTC'))->format('Y-m-d\TH:i:s\Z');
}

$events = [];
foreach (Sabre\VObject\Reader::read(stream_get_contents(STDIN))->VEVENT as $each) {
    $events[] = [(string) $each->SUMMARY, written($each->DTSTART), written($each->DTEND)];
}
echo json_encode($events);
