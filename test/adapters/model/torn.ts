/** Bytes are torn apart wherever this ends, letters among them. */
const TORN = 7

/** What a server streams, in pieces that end anywhere. `hangs`: afterwards it says nothing more, and does not end. `thinksMs`: in the midst. */
export function torn(lines: Iterable<string>, { hangs }: { readonly hangs: boolean }, thinksMs = 0): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode([...lines].join(''))
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return hangs ? new Promise(() => {}) : controller.close()
      controller.enqueue(bytes.slice(at, at + TORN))
      at += TORN
      const isMidway = at >= bytes.length / 2 && at - TORN < bytes.length / 2
      await Bun.sleep(isMidway ? thinksMs : 0)
    },
  })
}
