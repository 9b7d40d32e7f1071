/** How the carrier misbehaves. The numbers between 0 and 1 are probabilities. */
export interface Faults {
  /** Which requests, as a regular expression over `METHOD /path`. */
  on: string
  /** Does nothing and never answers. */
  ignore: number
  /** Does what was asked, then closes the connection or never answers. */
  loseAnswer: number
  how: 'close' | 'hang'
  /** Does what was asked and never answers, whatever `how` says. */
  neverAnswer: number
  /** Status 500 with nothing done, and with everything done. */
  error500: number
  error500After: number
  /** Status 429 with nothing done. */
  rateLimit: number
  retryAfter: number
  /** Does what was asked; the answer is half a JSON text. */
  malformed: number
  /** Does what was asked; the answer says nothing. */
  mumbled: number
  /** Before it does anything. */
  delayMs: number
}

export const noFaults: Faults = {
  on: '^POST /v1/parcels',
  ignore: 0,
  loseAnswer: 0,
  how: 'close',
  neverAnswer: 0,
  error500: 0,
  error500After: 0,
  rateLimit: 0,
  retryAfter: 2,
  malformed: 0,
  mumbled: 0,
  delayMs: 0,
}

/** Numbers from 0 to 1 that look random; the same seed gives the same ones. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whether something happens that has this probability: the same seed fails in the same places. */
export function dice(seed: number): (probability: number) => boolean {
  const random = seeded(seed)
  return (probability) => probability > 0 && random() < probability
}

/** Applies what was asked for around what the carrier really does. */
export async function misbehaving(
  faults: Faults,
  roll: (probability: number) => boolean,
  act: () => Response | Promise<Response>,
): Promise<Response> {
  if (faults.delayMs > 0) await Bun.sleep(faults.delayMs)
  if (roll(faults.rateLimit)) return problem(429, 'Too many requests', { 'retry-after': String(faults.retryAfter) })
  if (roll(faults.ignore)) return never()
  if (roll(faults.error500)) return problem(500, 'Internal server error')
  const answer = await act()
  if (roll(faults.neverAnswer)) return never()
  if (roll(faults.loseAnswer)) return faults.how === 'hang' ? never() : torn()
  if (roll(faults.error500After)) return problem(500, 'Internal server error')
  if (roll(faults.mumbled)) return Response.json({ ok: 1 })
  if (roll(faults.malformed)) {
    const words = await answer.text()
    return new Response(words.slice(0, Math.max(1, words.length >> 1)), {
      status: answer.status,
      headers: answer.headers,
    })
  }
  return answer
}

export const problem = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code: status, message } }, { status, headers })

const never = () => new Promise<Response>(() => {})

/** An answer whose connection closes under it. */
const torn = () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(1)
        controller.error(undefined)
      },
    }),
  )
