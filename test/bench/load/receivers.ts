import { answerWith } from '../child.ts'

export type Asked = { readonly open: number } | { readonly waitFor: number; readonly withinMs: number }

let received = 0
let enough: { readonly count: number; readonly reached: () => void } | undefined

/** Shops' own servers, which take whatever comes. */
function open(count: number): string[] {
  const serve = () =>
    Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        await request.arrayBuffer()
        received += 1
        if (enough && received >= enough.count) enough.reached()
        return new Response(null, { status: 204 })
      },
    })
  return Array.from({ length: count }, () => `${serve().url}hook`)
}

/** Until so many have come since it was last asked. */
async function waitFor(count: number, withinMs: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  enough = { count, reached: resolve }
  if (received >= count) resolve()
  const late = setTimeout(() => resolve(), withinMs)
  await promise
  clearTimeout(late)
  const came = received
  enough = undefined
  received = 0
  if (came < count) throw new Error(`${came} of ${count} deliveries came.`)
}

answerWith<Asked>(async (asked) => ('open' in asked ? open(asked.open) : waitFor(asked.waitFor, asked.withinMs)))
