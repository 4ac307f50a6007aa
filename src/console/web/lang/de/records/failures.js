/** German: errors of the service, and remedies. Those of sign-in are in the texts of the shell. */

export const failures = {
  RECORD_IDEMPOTENCY_KEY_REQUIRED:
    "Die Anfrage war unvollständig. Lade die Seite neu und versuche es erneut.",
  FEATURE_MODULE_MISMATCH: "Dieses Modul unterstützt das nicht. Lade die Seite neu.",
  STEP_UP_REQUIRED:
    "Bestätige dein Passwort noch einmal. Eine Bestätigung gilt einmal, fünf Minuten lang.",
  PRIVACY_DOWNGRADE_FORBIDDEN: "Das lässt sich nicht weniger vertraulich machen.",
  SECOND_FACTOR_STATE_CONFLICT:
    "Der zweite Faktor wurde anderswo ein- oder ausgeschaltet. Lade die Seite neu.",
  PASSKEY_STATE_CONFLICT:
    "Hier geht kein Passkey: Das Konto hat keinen, oder die Adresse des Dienstes ist eine IP-Adresse.",
  RECORD_MODULE_NOT_FOUND: "Dieses Modul gibt es nicht.",
  RECORD_NOT_FOUND: "Das gibt es nicht, oder es gehört dir nicht.",
  RECORD_ERASED: "Der Betreiber dieses Dienstes hat das gelöscht. Es lässt sich nicht mehr lesen.",
  ATTACHMENT_LOST:
    "Der Dienst hat diese Datei nicht mehr, oder sie ist beschädigt. Lade sie noch einmal hoch, oder frage den Betreiber nach einer Sicherung.",
  ATTACHMENT_CONFLICT: "Diese Datei hat schon ein kleines Bild.",
  FEATURE_NOT_FOUND: "Der Dienst unterstützt das nicht.",
  REVISION_CONFLICT:
    "Das wurde anderswo geändert. Nichts wurde überschrieben. Öffne es, um beide Fassungen zusammenzuführen.",
  RELATIONSHIP_STATUS_CONFLICT:
    "Der Status der Person lässt das nicht zu. Zu einer versiegelten Person sind keine Einträge mehr möglich.",
  RELATIONSHIP_ENTRY_CONFLICT:
    "Dieser Eintrag wurde schon ersetzt oder zurückgezogen. Lade die Seite neu, um den neuesten zu sehen.",
  RELATIONSHIP_PROPOSAL_CONFLICT: "Dieser Vorschlag wurde schon beantwortet oder ist abgelaufen.",
  RELATIONSHIP_PROPOSAL_STALE:
    "Die Einträge hinter diesem Vorschlag haben sich geändert. Fordere einen neuen an.",
  PROPOSAL_STATE_CONFLICT:
    "Dieser Vorschlag ist schon entschieden oder abgelaufen, oder sein Eintrag hat sich geändert.",
  TAXONOMY_TAG_NAME_CONFLICT:
    "Ein Schlagwort mit diesem Namen gibt es schon. Wähle einen anderen Namen oder benutze dieses.",
  TAXONOMY_CATEGORY_NAME_CONFLICT:
    "Eine Kategorie mit diesem Namen gibt es schon. Wähle einen anderen Namen oder benutze diese.",
  TAXONOMY_CATEGORY_PARENT_INVALID:
    "Diese Kategorie kann nicht übergeordnet sein. Wähle eine aktive.",
  TAXONOMY_CATEGORY_CYCLE: "Eine Kategorie kann nicht unter sich selbst liegen. Wähle eine andere.",
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED:
    "Kategorien haben höchstens acht Ebenen. Wähle eine höhere Kategorie.",
  ACCOUNT_STORAGE_FULL:
    "Dein Speicherplatz ist voll, deshalb wurde das nicht gespeichert. Bitte den Betreiber um mehr.",
  ACCOUNT_NOT_EMPTY: "Dieses Konto enthält schon Daten. Importiere in ein neues Konto.",
  IMPORT_STATE_CONFLICT:
    "Der Import ist schon weiter, oder seine Datei ist weg. Lade die Seite neu.",
  IDEMPOTENCY_IN_PROGRESS: "Das wird bereits gespeichert. Warte einen Moment und sieh dann nach.",
  IDEMPOTENCY_KEY_REUSED:
    "Eine frühere Fassung ist schon gespeichert. Sieh erst dort nach: Erneutes Speichern kann ein Duplikat anlegen.",
  FEATURE_NOT_IMPLEMENTED: "Das unterstützt der Dienst noch nicht.",
  STATE_CONFLICT: "Das steht im Konflikt mit einer anderen Änderung. Lade die Seite neu.",
  HTTP_409: "Das steht im Konflikt mit einer anderen Änderung. Lade die Seite neu.",
  DEDICATED_ENDPOINT_REQUIRED: "Dafür gibt es eine eigene Seite. Öffne sie aus dem Menü.",
  LEGACY_WRITE_DISABLED: "Daten aus Version 1 können gelesen, aber nicht geändert werden.",
  HTTP_405: "Das unterstützt der Dienst hier nicht. Lade die Seite neu.",
  HTTP_408:
    "Das Hochladen hat zu lange gedauert. Versuche es mit einer besseren Verbindung erneut.",
  HTTP_413: "Das ist zu groß. Kürze es oder wähle eine kleinere Datei.",
  HTTP_415: "Diese Art von Daten nimmt der Dienst nicht an.",
  HTTP_416: "Diesen Teil der Datei gibt es nicht. Lade die Seite neu.",
  HTTP_421:
    "Der Dienst nimmt diese Adresse nicht an. Öffne die Adresse, die er beim Start ausgibt.",
};
