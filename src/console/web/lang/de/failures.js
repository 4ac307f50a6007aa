/** German: errors of the service, and what to do. Those of sign-in are in the shell's texts. */

const elsewhere = "Dafür gibt es eine eigene Seite: öffne sie von der Startseite aus.";
const readOnly = "Was aus der älteren Version stammt, lässt sich lesen, aber nicht ändern.";
const changed =
  "Der Zustand ist inzwischen ein anderer. Lade die Seite neu, um zu sehen, was nun geht.";

export default {
  failures: {
    RECORD_IDEMPOTENCY_KEY_REQUIRED:
      "Der Anfrage fehlte ein Schlüssel. Lade die Seite neu und versuche es noch einmal.",
    FEATURE_MODULE_MISMATCH: "Dieses Modul kann das nicht. Lade die Seite neu.",
    STEP_UP_REQUIRED:
      "Bestätige noch einmal dein Passwort: Eine Bestätigung gilt einmal, fünf Minuten lang.",
    PRIVACY_DOWNGRADE_FORBIDDEN: "Das lässt sich nicht weniger vertraulich machen.",
    SECOND_FACTOR_STATE_CONFLICT:
      "Der zweite Faktor wurde inzwischen ein- oder ausgeschaltet. Lade die Seite neu.",
    RECORD_MODULE_NOT_FOUND: "Dieses Modul gibt es nicht.",
    RECORD_NOT_FOUND: "Das gibt es nicht, oder es gehört dir nicht.",
    FEATURE_NOT_FOUND: "Der Dienst weiß nicht, wie das geht.",
    REVISION_CONFLICT:
      "Das wurde inzwischen anderswo geändert; überschrieben wurde nichts. Öffne es, um beides zusammenzuführen.",
    MEMORY_STATE_CONFLICT: changed,
    IDENTITY_STATE_CONFLICT: changed,
    DECISION_STATE_CONFLICT: changed,
    RELATIONSHIP_STATUS_CONFLICT:
      "Der Status der Person lässt das nicht zu. Über eine versiegelte Person wird nichts mehr geschrieben.",
    RELATIONSHIP_ENTRY_CONFLICT:
      "Dieser Eintrag wurde schon ersetzt oder zurückgezogen. Lade die Seite neu, um den neuesten zu sehen.",
    RELATIONSHIP_PROPOSAL_CONFLICT:
      "Dieser Vorschlag ist schon beantwortet, oder er ist abgelaufen.",
    RELATIONSHIP_PROPOSAL_STALE:
      "Woraus der Vorschlag gemacht ist, hat sich seitdem geändert. Bitte um einen neuen.",
    TAXONOMY_STATE_CONFLICT: changed,
    TAXONOMY_TAG_NAME_CONFLICT:
      "So heißt schon ein Schlagwort. Wähle einen anderen Namen, oder nimm dieses.",
    TAXONOMY_CATEGORY_NAME_CONFLICT:
      "So heißt schon eine Kategorie. Wähle einen anderen Namen, oder nimm diese.",
    TAXONOMY_CATEGORY_PARENT_INVALID:
      "Darunter kann sie nicht liegen. Wähle eine Kategorie, die in Gebrauch ist.",
    TAXONOMY_CATEGORY_CYCLE:
      "Eine Kategorie kann nicht unter sich selbst liegen. Wähle einen anderen Platz.",
    TAXONOMY_CATEGORY_DEPTH_EXCEEDED:
      "Kategorien haben höchstens acht Ebenen. Wähle einen höheren Platz.",
    ACCOUNT_STORAGE_FULL:
      "Dein Konto hat keinen Speicherplatz mehr, deshalb wurde das nicht gespeichert. Wer den Dienst betreibt, kann dir mehr geben.",
    ACCOUNT_NOT_EMPTY: "In diesem Konto ist schon etwas: Importiere in ein neues.",
    IDEMPOTENCY_IN_PROGRESS: "Das geschieht gerade schon. Warte einen Moment und sieh dann nach.",
    IDEMPOTENCY_KEY_REUSED:
      "Eine frühere Fassung davon ist schon aufbewahrt. Sieh erst dort nach: Noch einmal aufbewahrt, wäre sie vielleicht doppelt da.",
    FEATURE_NOT_IMPLEMENTED: "Das kann der Dienst noch nicht.",
    MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    IDENTITY_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    RESOURCE_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    DECISION_DEDICATED_ENDPOINT_REQUIRED: elsewhere,
    IDENTITY_LEGACY_WRITE_DISABLED: readOnly,
    RELATIONSHIP_LEGACY_WRITE_DISABLED: readOnly,
    RESOURCE_LEGACY_WRITE_DISABLED: readOnly,
    HTTP_405: "Das kann der Dienst hier nicht. Lade die Seite neu.",
    HTTP_408:
      "Es hat zu lange gedauert, bis alles beim Dienst war. Versuche es noch einmal, möglichst mit besserer Verbindung.",
    HTTP_409: "Etwas steht dem entgegen, und der Dienst hat nicht gesagt, was. Lade die Seite neu.",
    HTTP_413: "Das ist mehr, als der Dienst auf einmal annimmt. Mach es kleiner.",
    HTTP_415: "Diese Art von Daten nimmt der Dienst nicht an.",
    HTTP_416: "Diesen Teil der Datei gibt es nicht. Lade die Seite neu.",
    HTTP_421:
      "Unter dieser Adresse kennt man den Dienst nicht. Öffne die, die er beim Start nennt.",
  },
};
