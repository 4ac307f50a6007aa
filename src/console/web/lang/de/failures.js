/** German: errors of the service, and what to do. Those of sign-in are in the shell's texts. */

const elsewhere = "Dafür gibt es eine eigene Seite. Öffne sie von der Startseite aus.";
const readOnly = "Daten aus Version 1 können gelesen, aber nicht geändert werden.";
const changed = "Das steht im Konflikt mit einer anderen Änderung. Lade die Seite neu.";

export default {
  failures: {
    RECORD_IDEMPOTENCY_KEY_REQUIRED:
      "Die Anfrage war unvollständig. Lade die Seite neu und versuche es erneut.",
    FEATURE_MODULE_MISMATCH: "Dieses Modul unterstützt das nicht. Lade die Seite neu.",
    STEP_UP_REQUIRED:
      "Bestätige dein Passwort noch einmal. Eine Bestätigung gilt einmal, fünf Minuten lang.",
    PRIVACY_DOWNGRADE_FORBIDDEN: "Das lässt sich nicht weniger vertraulich machen.",
    SECOND_FACTOR_STATE_CONFLICT:
      "Der zweite Faktor wurde anderswo ein- oder ausgeschaltet. Lade die Seite neu.",
    PASSKEY_STATE_CONFLICT:
      "Hier kann kein Passkey benutzt werden: Das Konto hat keinen, oder die Adresse des Dienstes ist eine IP-Adresse.",
    RECORD_MODULE_NOT_FOUND: "Dieses Modul gibt es nicht.",
    RECORD_NOT_FOUND: "Das gibt es nicht, oder es gehört dir nicht.",
    RECORD_ERASED:
      "Der Betreiber dieses Dienstes hat das gelöscht. Es lässt sich nicht mehr lesen.",
    FEATURE_NOT_FOUND: "Der Dienst unterstützt das nicht.",
    REVISION_CONFLICT:
      "Das wurde anderswo geändert. Nichts wurde überschrieben. Öffne es, um beide Fassungen zusammenzuführen.",
    MEMORY_STATE_CONFLICT: changed,
    IDENTITY_STATE_CONFLICT: changed,
    DECISION_STATE_CONFLICT: changed,
    RELATIONSHIP_STATUS_CONFLICT:
      "Der Status der Person lässt das nicht zu. Zu einer versiegelten Person sind keine Einträge mehr möglich.",
    RELATIONSHIP_ENTRY_CONFLICT:
      "Dieser Eintrag wurde schon ersetzt oder zurückgezogen. Lade die Seite neu, um den neuesten zu sehen.",
    RELATIONSHIP_PROPOSAL_CONFLICT: "Dieser Vorschlag wurde schon beantwortet oder ist abgelaufen.",
    RELATIONSHIP_PROPOSAL_STALE:
      "Die Einträge hinter diesem Vorschlag haben sich geändert. Fordere einen neuen an.",
    PROPOSAL_STATE_CONFLICT:
      "Dieser Vorschlag ist schon entschieden oder abgelaufen, oder sein Eintrag hat sich geändert.",
    TAXONOMY_STATE_CONFLICT: changed,
    TAXONOMY_TAG_NAME_CONFLICT:
      "Ein Schlagwort mit diesem Namen gibt es schon. Wähle einen anderen Namen oder benutze dieses.",
    TAXONOMY_CATEGORY_NAME_CONFLICT:
      "Eine Kategorie mit diesem Namen gibt es schon. Wähle einen anderen Namen oder benutze diese.",
    TAXONOMY_CATEGORY_PARENT_INVALID:
      "Diese Kategorie kann nicht übergeordnet sein. Wähle eine aktive.",
    TAXONOMY_CATEGORY_CYCLE:
      "Eine Kategorie kann nicht unter sich selbst liegen. Wähle eine andere übergeordnete Kategorie.",
    TAXONOMY_CATEGORY_DEPTH_EXCEEDED:
      "Kategorien haben höchstens acht Ebenen. Wähle eine höhere Kategorie.",
    ACCOUNT_STORAGE_FULL:
      "Dein Speicherplatz ist voll, deshalb wurde das nicht gespeichert. Bitte den Betreiber um mehr.",
    ACCOUNT_NOT_EMPTY: "Dieses Konto enthält schon Daten. Importiere in ein neues Konto.",
    IMPORT_STATE_CONFLICT:
      "Der Import ist schon weiter, oder seine Datei ist nicht mehr da. Lade die Seite neu, um seinen Stand zu sehen.",
    IDEMPOTENCY_IN_PROGRESS: "Das wird bereits gespeichert. Warte einen Moment und sieh dann nach.",
    IDEMPOTENCY_KEY_REUSED:
      "Eine frühere Fassung davon ist schon gespeichert. Sieh erst dort nach: Erneutes Speichern kann ein Duplikat anlegen.",
    FEATURE_NOT_IMPLEMENTED: "Das unterstützt der Dienst noch nicht.",
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
    HTTP_405: "Das unterstützt der Dienst hier nicht. Lade die Seite neu.",
    HTTP_408:
      "Das Hochladen hat zu lange gedauert. Versuche es erneut, möglichst mit einer besseren Verbindung.",
    HTTP_409: "Das steht im Konflikt mit einer anderen Änderung. Lade die Seite neu.",
    HTTP_413: "Das ist zu groß. Kürze es oder wähle eine kleinere Datei.",
    HTTP_415: "Diese Art von Daten nimmt der Dienst nicht an.",
    HTTP_416: "Diesen Teil der Datei gibt es nicht. Lade die Seite neu.",
    HTTP_421:
      "Der Dienst nimmt diese Adresse nicht an. Öffne die Adresse, die er beim Start ausgibt.",
  },
};
