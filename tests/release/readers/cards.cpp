// Prints cards as KContacts reads them: cards < CARDS. Each is a list of the name, birthday,
// anniversary, numbers, and whether there is a picture.
#include <KContacts/Addressee>
#include <KContacts/VCardConverter>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <cstdio>

int main() {
  QFile input;
  input.open(stdin, QIODevice::ReadOnly);
  QJsonArray cards;
  for (const auto &card : KContacts::VCardConverter().parseVCards(input.readAll())) {
    QStringList phones;
    for (const auto &phone : card.phoneNumbers()) phones << phone.number();
    cards.append(QJsonArray{card.formattedName(), card.birthday().date().toString(Qt::ISODate),
                            card.anniversary().toString(Qt::ISODate), phones.join(" "),
                            !card.photo().rawData().isEmpty()});
  }
  puts(QJsonDocument(cards).toJson(QJsonDocument::Compact));
}
