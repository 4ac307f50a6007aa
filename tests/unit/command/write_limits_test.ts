import { assertEquals, assertThrows } from "@std/assert";
import { DiskRoom, reserveOf } from "../../../src/command/write_limits.ts";
import type { DiskSpace } from "../../../src/core/disk_space.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

Deno.test("reserveOf() is two per cent, between 64 MiB and 1 GiB, or a sixteenth of a small disk", () => {
  assertEquals(reserveOf(0), 16 * MIB);
  assertEquals(reserveOf(256 * MIB), 16 * MIB);
  assertEquals(reserveOf(512 * MIB), 32 * MIB);
  assertEquals(reserveOf(GIB - 16), 64 * MIB - 1);
  assertEquals(reserveOf(GIB), 64 * MIB);
  assertEquals(reserveOf(3 * GIB), 64 * MIB);
  assertEquals(reserveOf(10 * GIB), 0.2 * GIB);
  assertEquals(reserveOf(50 * GIB), GIB);
  assertEquals(reserveOf(5_000 * GIB), GIB);
});

function roomOf(first: DiskSpace | null) {
  const state = { space: first, time: 0, readings: 0 };
  const read = () => {
    state.readings++;
    return state.space;
  };
  const room = new DiskRoom(read, () => new Date(state.time));
  return { state, room };
}

function assertNoRoom(room: DiskRoom): void {
  const error = assertThrows(() => room.assertRoom(), ServiceError);
  assertEquals([error.code, error.headers["Retry-After"]], ["HTTP_503", "30"]);
}

Deno.test("DiskRoom rejects below the reserve, and not at it", () => {
  const total = 10 * GIB;
  roomOf({ free: reserveOf(total), total }).room.assertRoom();
  assertNoRoom(roomOf({ free: reserveOf(total) - 1, total }).room);
  assertNoRoom(roomOf({ free: 16 * MIB - 1, total: 100 * MIB }).room);
});

Deno.test("DiskRoom accepts everything if the system reports no free space", () => {
  const { room } = roomOf(null);
  room.assertRoom();
  assertEquals(room.freeBytes, null);
});

Deno.test("DiskRoom reads once a second, by any clock", () => {
  const { room, state } = roomOf({ free: GIB, total: 10 * GIB });
  for (let count = 0; count < 5; count++) room.assertRoom();
  assertEquals([room.freeBytes, state.readings], [GIB, 1]);
  state.space = { free: 1, total: 10 * GIB };
  state.time = 999;
  room.assertRoom();
  state.time = 1_000;
  assertNoRoom(room);
  state.space = { free: GIB, total: 10 * GIB };
  state.time = -60_000;
  room.assertRoom();
  assertEquals([room.freeBytes, state.readings], [GIB, 3]);
});
