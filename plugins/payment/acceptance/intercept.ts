import type { AdapterContext, FetchInit } from '../../adapter.ts'

/** A recorded response, which can be replayed. */
interface RecordedResponse {
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly body: ArrayBuffer
}

const responseOf = ({ status, headers, body }: RecordedResponse) =>
  new Response(body.byteLength > 0 ? body.slice(0) : null, { status, headers: new Headers(headers) })

/** Runs `work` with a connection and returns the responses that it received, in their order. */
export async function recordResponses(
  context: AdapterContext,
  work: (context: AdapterContext) => unknown,
): Promise<readonly RecordedResponse[]> {
  const answers: RecordedResponse[] = []
  const fetch = async (url: string, init: FetchInit = {}) => {
    const answer = await context.fetch(url, init)
    const { status, headers } = answer
    const recorded = { method: init.method ?? 'GET', status, headers, body: await answer.arrayBuffer() }
    answers.push(recorded)
    return responseOf(recorded)
  }
  await work({ ...context, fetch })
  return answers
}

/** Returns a connection that replays recorded responses by their position; further calls get the last one. */
export function replayResponses(context: AdapterContext, answers: readonly RecordedResponse[]): AdapterContext {
  const reads = answers.filter(({ method }) => method === 'GET')
  const given = reads.length > 0 ? reads : answers
  let at = 0
  const fetch = async (url: string, init: FetchInit = {}) => {
    // Calls that only sign in are not replayed.
    if (reads.length > 0 && (init.method ?? 'GET') !== 'GET') return context.fetch(url, init)
    const recorded = given[Math.min(at++, given.length - 1)]
    return recorded ? responseOf(recorded) : context.fetch(url, init)
  }
  return { ...context, fetch }
}

/**
 * Returns a connection that replaces the value at a path in every JSON response that has it. `changed` returns the number of changed
 * responses.
 */
export function replaceJson(context: AdapterContext, path: string, value: unknown) {
  let count = 0
  const fetch = async (url: string, init?: FetchInit) => {
    const answer = await context.fetch(url, init)
    const words = await answer.text()
    const changed = withValue(jsonIn(words), path.split('.'), value)
    if (changed !== undefined) count += 1
    const { status, headers } = answer
    return new Response(changed === undefined ? words || null : JSON.stringify(changed), { status, headers: stripLength(headers) })
  }
  return { context: { ...context, fetch }, changed: () => count }
}

function stripLength(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of ['content-length', 'content-encoding']) kept.delete(name)
  return kept
}

function jsonIn(words: string): unknown {
  try {
    return JSON.parse(words)
  } catch {
    return undefined
  }
}

/** Replaces a value in JSON; undefined if the path does not exist. */
function withValue(json: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined
  const inner = (json as Readonly<Record<string, unknown>>)[name]
  const changed = rest.length === 0 ? value : withValue(inner, rest, value)
  if (changed === undefined) return undefined
  if (Array.isArray(json)) return json.with(Number(name), changed)
  return { ...json, [name]: changed }
}
