# Prints the events of a calendar as ruby-icalendar reads them: calendars.rb < CALENDAR.
require "stringio"
require "icalendar"
require "json"

def written(value)
  return value.strftime("%Y-%m-%d") if value.is_a?(Icalendar::Values::Date)
  value.to_time.utc.strftime("%Y-%m-%dT%H:%M:%SZ")
end

calendar = Icalendar::Calendar.parse(STDIN.read.force_encoding("UTF-8")).first
puts JSON.generate(calendar.events.map do |each|
  [each.summary.to_s, written(each.dtstart), written(each.dtend)]
end)
