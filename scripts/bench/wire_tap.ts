/** A proxy before a PostgreSQL server that records the client's statements. */

export interface WireStatement {
  /** With `$1`, `$2`, … */
  readonly text: string;
  /** Object identifiers; 0 if the server decides. */
  readonly types: readonly number[];
  /** The parameters as text. */
  readonly parameters: readonly (string | null)[];
  /** Statements with one number were sent without waiting for answers in between. */
  readonly flight: number;
  /** Sent when the client connected. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Disposal closes every connection. */
export interface WireTap extends Disposable {
  readonly url: string;
  /** Returns the statements sent during the action. */
  during(action: () => Promise<unknown>): Promise<WireStatement[]>;
}

/** Members of a startup message that are not settings. */
const NO_SETTINGS = ["user", "database", "replication", "client_encoding"];

/** Shared by all connections. */
interface Notes {
  statements: WireStatement[];
  flight: number;
}

/** The server's connections must be unencrypted. */
export function openWireTap(databaseUrl: string): WireTap {
  const url = new URL(databaseUrl);
  const target = { hostname: url.hostname, port: Number(url.port || 5432) };
  const notes: Notes = { statements: [], flight: 0 };
  const open = new Set<Deno.TcpConn>();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accept = async () => {
    for await (const client of listener) {
      const server = await Deno.connect(target);
      for (const end of [client, server]) {
        end.setNoDelay();
        open.add(end);
      }
      const messages = new ClientMessages(notes);
      pump(client, server, (bytes) => messages.push(bytes));
      pump(server, client, () => notes.flight++);
    }
  };
  void accept();
  [url.hostname, url.port] = ["127.0.0.1", String(listener.addr.port)];
  return {
    url: url.href,
    async during(action) {
      notes.statements = [];
      await action();
      return notes.statements;
    },
    [Symbol.dispose]() {
      listener.close();
      for (const connection of open) close(connection);
    },
  };
}

/** Copies one direction until either end closes. */
async function pump(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  note: (bytes: Uint8Array) => void,
): Promise<void> {
  try {
    const writer = to.writable.getWriter();
    for await (const bytes of from.readable) {
      note(bytes);
      await writer.write(bytes);
    }
  } catch {
    // One end's loss ends the other.
  }
  close(from);
  close(to);
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** Parses a client's messages (PostgreSQL's documentation, "Message Formats"). */
class ClientMessages {
  readonly #notes: Notes;
  readonly #settings: Record<string, string> = {};
  readonly #prepared = new Map<string, Pick<WireStatement, "text" | "types">>();
  #rest = new Uint8Array();
  #hasBegun = false;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  push(bytes: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    let at = 0;
    while (true) {
      // The startup message has no type.
      const start = at + (this.#hasBegun ? 1 : 0);
      if (start + 4 > all.length) break;
      const end = start + new DataView(all.buffer).getInt32(start);
      if (end > all.length) break;
      const message = new MessageReader(all.slice(start + 4, end));
      if (this.#hasBegun) this.#note(String.fromCharCode(all[at] ?? 0), message);
      else this.#begin(message);
      at = end;
    }
    this.#rest = all.slice(at);
  }

  #begin(message: MessageReader): void {
    message.int32();
    this.#hasBegun = true;
    for (let name = message.text(); name !== ""; name = message.text()) {
      const value = message.text();
      if (!NO_SETTINGS.includes(name)) this.#settings[name] = value;
    }
  }

  #note(type: string, message: MessageReader): void {
    const { statements, flight } = this.#notes;
    const sent = { flight, settings: this.#settings };
    if (type === "Q") {
      statements.push({ text: message.text(), types: [], parameters: [], ...sent });
    }
    if (type === "P") {
      const [name, text] = [message.text(), message.text()];
      this.#prepared.set(name, { text, types: message.list(() => message.int32()) });
    }
    if (type === "B") {
      message.text();
      const prepared = this.#prepared.get(message.text());
      message.list(() => message.int16());
      const parameters = message.list(() => message.value());
      if (prepared !== undefined) statements.push({ ...prepared, parameters, ...sent });
    }
  }
}

class MessageReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  int16(): number {
    this.#at += 2;
    return this.#view.getInt16(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4);
  }

  /** Null-terminated; empty at the end of the message. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) return "";
    const text = this.#slice(end);
    this.#at++;
    return text;
  }

  /** Length-prefixed; null for -1. */
  value(): string | null {
    const length = this.int32();
    return length === -1 ? null : this.#slice(this.#at + length);
  }

  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.int16() }, read);
  }

  #slice(end: number): string {
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return text;
  }
}
