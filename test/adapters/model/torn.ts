/** Bytes are torn apart wherever this ends, letters among them. */
const TORN = 7

/** What a server streams, in pieces that end anywhere. `hangs`: afterwards it says nothing more, and does not end. */
export function torn(lines: Iterable<string>, hangs: boolean): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode([...lines].join(''))
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return hangs ? new Promise(() => {}) : controller.close()
      controller.enqueue(bytes.slice(at, at + TORN))
      at += TORN
      await Bun.sleep(0)
    },
  })
}
