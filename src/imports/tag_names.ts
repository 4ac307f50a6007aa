/** The names of tags that a batch of items uses, and which of them are there. */

import type { Sql } from "../database/sql.ts";
import { findNamedTags, type NamedTag } from "../families/taxonomy/imported_tags.ts";
import { comparedForm } from "../families/taxonomy/name.ts";
import { isLongerThan } from "../validate/text.ts";
import type { JudgeContext, Judged } from "./judged.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import type { Targets } from "./targets.ts";

/** More code points than any name has: longer ones are not compared. */
const MAX_NAME = 64;

/** The tags that a batch names. */
export class TagNames {
  readonly #targets: Targets;
  readonly #now: Date;
  readonly #found: ReadonlyMap<string, NamedTag>;
  /** The newest origin of each inactive tag that an import of the source made. */
  readonly #origins: ReadonlyMap<string, Origin>;
  /** Names that will be there once the items before were written. */
  readonly #coming: Set<string>;

  private constructor(
    { targets, now }: JudgeContext,
    found: ReadonlyMap<string, NamedTag>,
    origins: ReadonlyMap<string, Origin>,
    coming: Set<string>,
  ) {
    this.#targets = targets;
    this.#now = now;
    this.#found = found;
    this.#origins = origins;
    this.#coming = coming;
  }

  static async read(
    sql: Sql,
    context: JudgeContext,
    batch: readonly Judged[],
    coming: Set<string>,
  ): Promise<TagNames> {
    const compared = new Set(batch.flatMap(namesOf).filter(isComparable).map(comparedForm));
    const rows = await findNamedTags(sql, context.owner, [...compared]);
    const found = new Map(rows.map((row) => [row.compared, row]));
    const inactive = rows.filter(({ deactivated_at }) => deactivated_at !== null);
    const origins = await findOrigins(
      sql,
      context.owner,
      context.source,
      [...new Set(inactive.map(({ term_id }) => term_id))],
      "TAG",
    );
    return new TagNames(context, found, origins, coming);
  }

  /** The item with its tags, and with what they say of it. */
  apply(judged: Judged): Judged {
    const { outcome, item } = judged;
    if (outcome !== "NEW" && outcome !== "CHANGED") return judged;
    const own = item.target === "tag" ? this.#applyTag(judged) : judged;
    return own.outcome === "NEW" || own.outcome === "CHANGED" ? this.#addTags(own) : own;
  }

  /** An item that is a tag joins the one that has its name. */
  #applyTag(judged: Judged): Judged {
    const [name = "", ...aliases] = namesOfTag(judged).map(comparedForm);
    const takenBy = (compared: string) => {
      const found = this.#found.get(compared);
      if (found !== undefined && found.term_id !== judged.recordId) return found.term_id;
      return this.#coming.has(compared) && found === undefined ? "" : null;
    };
    const owner = takenBy(name);
    if (judged.outcome === "NEW" && owner !== null) {
      const rules = [...judged.rules, "tag.joined"];
      return { ...judged, outcome: "UNCHANGED", rules, recordId: owner === "" ? null : owner };
    }
    if ([name, ...aliases].some((compared) => takenBy(compared) !== null)) {
      return { ...judged, outcome: "REFUSED", rules: [...judged.rules, "tag.name_taken"] };
    }
    for (const compared of [name, ...aliases]) this.#coming.add(compared);
    return judged;
  }

  #addTags(judged: Judged): Judged {
    const rules = new Set(judged.rules);
    const tags = new Set<string>();
    for (const name of judged.item.tags) {
      // A tag carries no tags.
      if (judged.item.target === "tag" || !this.#isName(name)) {
        rules.add("tag.invalid");
        continue;
      }
      const compared = comparedForm(name);
      if (this.#isUsable(compared)) tags.add(compared);
      else rules.add("tag.inactive");
    }
    for (const compared of tags) this.#coming.add(compared);
    return { ...judged, rules: [...rules], tags: [...tags] };
  }

  #isName(name: string): boolean {
    if (!isComparable(name)) return false;
    try {
      this.#targets.get("tag").create({ title: name, summary: "", payload: {} }, this.#now);
      return true;
    } catch {
      return false;
    }
  }

  /** A tag that only a withdrawal deactivated is used again. */
  #isUsable(compared: string): boolean {
    const found = this.#found.get(compared);
    if (found === undefined || found.deactivated_at === null) return true;
    const origin = this.#origins.get(found.term_id);
    return origin?.change === "WITHDRAWN" && origin.revision === found.revision;
  }
}

function isComparable(name: string): boolean {
  return !isLongerThan(name, MAX_NAME);
}

function namesOf(judged: Judged): readonly string[] {
  return judged.item.target === "tag" ? namesOfTag(judged) : judged.item.tags;
}

function namesOfTag({ item: { title, payload } }: Judged): readonly string[] {
  const { aliases } = payload;
  const texts = Array.isArray(aliases) ? aliases.filter((name) => typeof name === "string") : [];
  return [title, ...texts];
}
