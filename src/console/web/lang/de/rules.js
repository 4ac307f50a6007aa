/** German: rules of the service. The last ones are shared, as `fields/refusals.js` says. */

const EMPTY = "Bitte ausfüllen.";
const REQUEST = "Die Seite hat etwas gesendet, das der Dienst nicht annimmt. Lade die Seite neu.";
const SECRETS = "Entferne Passwörter, Token und andere Geheimnisse.";
const FILES = "Wähle höchstens 20 gespeicherte Dateien.";
const TAGS = "Höchstens 50 Schlagwörter mit je höchstens 64 Zeichen.";
const CHARACTERS = "Einige Zeichen lassen sich nicht speichern. Entferne sie.";
const RECORD = "Wähle eine gespeicherte Aufzeichnung oder gib ihre Kennung mit 26 Zeichen ein.";
const NAME = "Dieser Name geht hier nicht. Wähle einen anderen.";

export default {
  "field.required": EMPTY,
  "field.blank": EMPTY,
  "field.null": EMPTY,
  "field.type": "So einen Wert nimmt dieses Feld nicht an.",
  "field.integer": "Gib eine ganze Zahl ein.",
  "field.range": "Diese Zahl ist zu klein oder zu groß.",
  "field.length": "Das ist zu lang oder zu kurz.",
  "field.length.most": "Höchstens {length} Zeichen.",
  "field.option": "Wähle eine der Möglichkeiten.",
  "field.format": "Das hat nicht die verlangte Form.",
  "field.identifier": RECORD,
  "field.date": "Gib einen Tag an, den es gibt, zum Beispiel 2024-02-29.",
  "field.datetime": "Gib einen Tag und eine Uhrzeit an, die es gibt.",
  "field.repeated": "Etwas kommt doppelt vor. Entferne eins davon.",
  "field.slug":
    "Nimm 3 bis 64 Kleinbuchstaben, Ziffern und Bindestriche, aber nicht publish, refresh oder revoke.",
  "field.tag_length": TAGS,
  "field.tags_count": TAGS,
  "field.files_count": FILES,
  "field.control_character": CHARACTERS,
  "field.unicode": CHARACTERS,
  "field.confirmation": "Bestätige das zuerst.",
  "payload.bytes": "Alle Felder zusammen sind zu lang. Kürze die längsten.",
  "change.required": "Es wurde nichts geändert.",
  "range.order": "Anfang und Ende oder kleinster und größter Wert sind vertauscht.",
  "range.length": "Der Zeitraum ist zu lang. Wähle weniger Tage.",
  "due.range": "Der Zeitraum ist leer oder zu lang. Wähle weniger Tage.",
  "search.words": "Gib 1 bis 16 Wörter ein.",
  "sort.rows": "Für diese Reihenfolge sind es zu viele Einträge. Wähle eine andere.",
  "insight.rows": "Das sind zu viele Werte. Wähle einen kürzeren Zeitraum.",
  "account.email": "Gib eine E-Mail-Adresse ein, zum Beispiel name@example.org.",
  "attachment.exists": "Eine Datei ist hier nicht gespeichert. Lade sie noch einmal hoch.",
  "content_digest.mismatch": "Die Datei wurde unterwegs beschädigt. Lade sie noch einmal hoch.",
  "thumbnail.form": "Nimm ein kleines Bild als WebP, JPEG oder PNG: höchstens 512 Pixel je Seite.",
  "second_factor.code": "Der Code ist falsch. Nimm den neuesten Code der App.",
  "passkey.count": "Ein Konto hat höchstens {limit} Passkeys. Entferne zuerst einen.",
  "passkey.known": "Dieser Passkey ist schon gespeichert.",
  "feed.count": "Du hast höchstens {limit} Kalenderadressen. Beende zuerst eine.",
  "assistant.count": "Du hast höchstens {limit} Assistenten. Beende zuerst einen.",
  "detail.count": "Eine Person hat höchstens {limit} Angaben. Ziehe zuerst eine zurück.",
  "detail.date":
    "Gib einen Tag wie 1984-02-29 an, ein Jahr wie 1984, oder --02-29 für einen Tag ohne Jahr.",
  "detail.empty": "Fülle mindestens ein Feld aus.",
  "detail.property": "Nimm 1 bis 64 Buchstaben, Ziffern und Bindestriche.",
  "detail.yearly": "Ein Jahr allein kann nicht jedes Jahr wiederkehren.",
  "evidence.record_requires_source_ref": "Wähle die Aufzeichnung, die die Quelle ist.",
  "evidence.source_ref_only_of_record":
    "Nur ein Beleg aus einer Aufzeichnung hat eine Aufzeichnung als Quelle.",
  "criterion.not_a_key": NAME,
  "option.not_a_key": NAME,
  "option.unknown": "Diese Option hat die Entscheidung nicht. Lade die Seite neu.",
  "analysis.scores_fit_criteria": "Gib jeder Option für jedes Kriterium Punkte.",
  "analysis.without_weight": "Gib mindestens einem Kriterium ein Gewicht über 0.",
  "simulation.draws":
    "Das dauert zu lange: Nimm weniger Durchläufe oder Faktoren, zusammen höchstens {limit} Ziehungen.",
  "snapshot.has_a_figure": "Gib mindestens eine Zahl ein.",
  "overload_analysis.resources":
    "Eine Analyse hat höchstens {limit} Ressourcen. Archiviere zuerst einige.",
  "overload_analysis.thresholds_ordered": "Die Warnung darf nicht nach der Überlastung kommen.",

  "action.parent_id_is_another_ulid": "Wähle eine andere Aufzeichnung, nicht diese selbst.",
  "action.vision_has_no_parent_id": "Eine Vision ist kein Teil von etwas.",
  "ai_agent.executed_actions_require_approval":
    "Ausgeführte Schritte brauchen eine Freigabe, wenn eine nötig ist.",
  "ai_agent.executed_actions_without_credentials": SECRETS,
  "capture.target_module_is_another_module": "Wähle eine andere Art als eine Notiz.",
  "capture.attachment_required":
    "Bild, Ton, Video oder Datei braucht mindestens eine Datei, außer im Eingang.",
  "capture.attachment_ids_limits": FILES,
  "commitment.completed_at_requires_completed": "Nur eine erledigte Zusage hat diese Zeit.",
  "constitution.definition_entry_requires_definition": "Eine Definition braucht ihre Worte.",
  "decision.options_are_distinct_texts":
    "Nimm 2 bis 50 verschiedene Optionen mit je höchstens 200 Zeichen.",
  "decision.chosen_option_is_an_option": "Wähle eine der Optionen dieser Entscheidung.",
  "decision.decided_at_requires_chosen_option":
    "Wähle die Option, für die du dich entschieden hast.",
  "decision.review_at_not_before_decided_at":
    "Die Überprüfung darf nicht vor der Entscheidung liegen.",
  "health.unit_length": "Eine Einheit hat 1 bis 32 Zeichen.",
  "identity.tags_limits": TAGS,
  "integration.last_sync_at_requires_authorization":
    "Diese Zeit braucht eine Berechtigung, auch eine beendete, oder Importe von Hand.",
  "integration.mapping_config_without_credentials": SECRETS,
  "interview.answered_requires_answer": "Eine beantwortete Frage braucht ihre Antwort.",
  "knowledge.url_is_a_public_reference":
    "Gib eine Adresse mit https:, http:, urn:, doi: oder isbn: an, ohne Benutzernamen und Passwort.",
  "legacy.sealed_content_required":
    "Ein Umschlag oder eine Zeitkapsel braucht einen Inhalt, außer als Entwurf.",
  "legacy.release_condition_required": "Eine Freigabe braucht ihre Bedingung, außer als Entwurf.",
  "legacy.drilled_requires_last_drill_at":
    "Ein geprobter Plan braucht die Zeit seiner letzten Probe.",
  "media.duration_requires_audio_or_video": "Nur Ton und Video haben eine Länge.",
  "memory.occurred_at_means_exact": "Eine Zeit ohne Genauigkeit ist genau.",
  "memory.original_content_never_changes":
    "Die ersten Worte bleiben. Schreib Änderungen als neue Fassung.",
  "personal_model.evidence_is_disjoint": "Derselbe Beleg kann nicht dafür und dagegen sprechen.",
  "place.coordinates_are_complete": "Gib Breitengrad und Längengrad an, oder keinen von beiden.",
  "publication.status_requires_times":
    "Veröffentlichtes braucht diese Zeit. Widerrufenes braucht beide Zeiten.",
  "resource.available_not_above_capacity":
    "Verfügbar kann nicht mehr sein, als die Kapazität erlaubt.",
  "resource.level_is_a_percentage": "Von 0 bis 100.",
  "routine.next_due_at_is_derived": "Ohne nächsten Termin wird er ab dem letzten Mal gezählt.",
  "routine.next_due_at_not_before_last_completed_at":
    "Der nächste Termin darf nicht vor dem letzten Mal liegen.",
  "taxonomy.parent_id_requires_category": "Nur eine Kategorie kann Teil einer Kategorie sein.",
  "taxonomy.color_is_hexadecimal": "Gib eine Farbe wie #2f6f4f an.",
  "taxonomy.names_are_unique": "Jeder Name und jeder andere Name kommt nur einmal vor.",
  "taxonomy.aliases_are_distinct": "Zwei andere Namen sind gleich. Entferne einen.",
  "taxonomy.no_alias_is_the_name": "Ein anderer Name ist der Name selbst. Entferne ihn.",
  "timeline.change_to_unknown_removes_start_at": "Eine unbekannte Zeit entfernt den Anfang.",

  account:
    "Das ist keine vollständige Kontodatei, oder sie ist beschädigt. Exportiere sie noch einmal.",
  credential:
    "Dieser Passkey wurde nicht angenommen. Versuche es noch einmal oder nimm einen anderen.",
  filename: "Dieser Dateiname geht nicht. Benenne die Datei um.",
  filter: "Ein Filter passt nicht. Entferne ihn.",
  future: "Gib eine Zeit an, die nicht in der Zukunft liegt.",
  identifier: RECORD,
  order: "Das Ende darf nicht vor dem Anfang liegen.",
  period: "Ein Lebensabschnitt braucht Worte für die Zeit.",
  precise: "Eine genaue Zeit oder ein Tag braucht ein Datum.",
  proposal: "Das kann ein Assistent nicht vorschlagen.",
  request: REQUEST,
  unknown: "Eine unbekannte Zeit hat kein Datum. Entferne das Datum.",
};
