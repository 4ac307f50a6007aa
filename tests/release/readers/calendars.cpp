// Prints the events of a calendar as KCalendarCore reads them: calendars < CALENDAR
#include <KCalendarCore/ICalFormat>
#include <KCalendarCore/MemoryCalendar>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>
#include <cstdio>

static QString written(const QDateTime &time, bool allDay) {
  return allDay ? time.date().toString(Qt::ISODate) : time.toUTC().toString(Qt::ISODate);
}

int main() {
  QFile input;
  input.open(stdin, QIODevice::ReadOnly);
  auto calendar = KCalendarCore::MemoryCalendar::Ptr::create(QTimeZone::utc());
  if (!KCalendarCore::ICalFormat().fromRawString(calendar, input.readAll())) return 1;
  QJsonArray events;
  for (const auto &each : calendar->rawEvents()) {
    auto end = each->allDay() ? each->dtEnd().addDays(1) : each->dtEnd();
    events.append(QJsonArray{each->summary(), written(each->dtStart(), each->allDay()),
                             written(end, each->allDay())});
  }
  puts(QJsonDocument(events).toJson(QJsonDocument::Compact));
}
