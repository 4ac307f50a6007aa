/** English: the calendar and its addresses. */
export default {
  calendarText:
    "A calendar program can show what is due. Anyone who has the address can read that calendar, and nothing else.",
  newFeed: "New calendar address",
  newAddress: "Replace address",
  newAddressOf: "Replace address: {name}",
  endFeed: "End: {name}",
  addressOnce:
    "This is the address of {name}. It is shown only now: copy it into your calendar program.",
  addressAdded: "I have added it",
  feedName: "Name",
  feedKinds: "Shows",
  feedDetail: "Detail",
  feedDetailHint:
    "Others may see your calendar. With times alone, no title and no name leaves this service.",
  feedTimed: "Alert before a time",
  feedTimedHint: "Some programs ignore this and use their own settings.",
  minutesBefore: "{count} minutes before",
  feedAllDay: "Alert on a day",
  feedZone: "Time zone",
  feedLifetime: "Valid for",
  howToAdd: "How to add an address",
  addApple:
    "In Calendar, choose File, New Calendar Subscription, and paste the address. Clear the box Remove Alerts if you want to be reminded. On an iPhone: Settings, Calendar, Accounts, Add Account, Other, Add Subscribed Calendar.",
  addGoogle:
    "In a browser, choose Other calendars, From URL, and paste the address. Google reads it once or twice a day, ignores its alerts, and sends its own notifications.",
  addThunderbird:
    "Choose New Calendar, On the Network, and paste the address. Thunderbird reads it as often as you set, and shows its alerts.",
  addAndroid:
    "Install ICSx5, choose Add, and paste the address. It can be opened from DAVx5, too. Set how often it is read; its alerts are shown.",
};
