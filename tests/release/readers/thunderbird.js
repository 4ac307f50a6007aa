// Runs inside of Thunderbird: `arguments` are a question, a text, and the function of the answer.
const [question, text, answer] = arguments;

const QUESTIONS = {
  /** Returns the lines of each card in the address book. */
  async cards() {
    const { VCardUtils } = ChromeUtils.importESModule("resource:///modules/VCardUtils.sys.mjs");
    const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
    const [book] = MailServices.ab.directories;
    const cards = text.match(/BEGIN:VCARD[^]*?END:VCARD\r\n/g)
      .map((card) => book.addCard(VCardUtils.vCardToAbCard(card)));
    const main = Services.wm.getMostRecentWindow("mail:3pane");
    const pause = (milliseconds) => new Promise((done) => main.setTimeout(done, milliseconds));
    while (!main.toAddressBook) await pause(100);
    await main.toAddressBook();
    const shown = () => {
      const tabs = main.document.getElementById("tabmail").tabInfo;
      const pages = tabs.map(({ browser }) => browser?.contentWindow);
      return pages.find((page) => page?.detailsPane && page.cardsPane?.cardsList?.view);
    };
    while (!shown()) await pause(100);
    await pause(1_000);
    const { document, detailsPane } = shown();
    const found = [];
    for (const card of cards) {
      detailsPane.displayCards([card]);
      await pause(200);
      const lines = (id) =>
        [...document.querySelectorAll(`#${id}:not([hidden]) li`)]
          .map((line) =>
            [...line.children].map((part) => part.textContent.trim()).join(" ").trim()
          );
      found.push({
        name: document.getElementById("viewContactName").textContent,
        lines: lines("otherInfo"),
        numbers: lines("phoneNumbers"),
        hasPicture: document.getElementById("viewContactPhoto").src.startsWith("data:"),
      });
    }
    return found;
  },

  /** Returns title, start and end of each event. */
  calendar() {
    const { CalIcsParser } = ChromeUtils.importESModule("resource:///modules/CalIcsParser.sys.mjs");
    const { cal } = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");
    const parser = new CalIcsParser();
    parser.parseString(text);
    const written = (time) =>
      time.isDate
        ? time.icalString.replace(/(....)(..)(..)/, "$1-$2-$3")
        : time.getInTimezone(cal.dtz.UTC).icalString
          .replace(/(....)(..)(..)T(..)(..)(..)Z?/, "$1-$2-$3T$4:$5:$6Z");
    return parser.getItems().map(({ title, startDate, endDate }) => [
      title,
      written(startDate),
      written(endDate),
    ]);
  },
};

(async () => await QUESTIONS[question]())()
  .then(answer, (error) => answer(`${error} ${error.stack}`));
