import type { CommandRunner } from "./runner.ts";

/**
 * Passes an upload on, and fails with ServiceError `HTTP_503` as soon as the disk is nearly full.
 */
export function whileDiskHasRoom(
  commands: CommandRunner,
): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      commands.assertDiskRoom();
      controller.enqueue(chunk);
    },
  });
}
