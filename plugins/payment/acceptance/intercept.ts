import type { AdapterContext, FetchInit } from '../../adapter.ts'

/** One answer of the other side, kept so that it can be given again. */
interface KeptAnswer {
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly body: ArrayBuffer
}

const responseOf = ({ status, headers, body }: KeptAnswer) =>
  new Response(body.byteLength > 0 ? body.slice(0) : null, { status, headers: new Headers(headers) })

/** Does the work with a connection whose answers are kept, in their order. */
export async function recorded(context: AdapterContext, work: (context: AdapterContext) => unknown): Promise<readonly KeptAnswer[]> {
  const answers: KeptAnswer[] = []
  const fetch = async (url: string, init: FetchInit = {}) => {
    const answer = await context.fetch(url, init)
    const { status, headers } = answer
    const kept = { method: init.method ?? 'GET', status, headers, body: await answer.arrayBuffer() }
    answers.push(kept)
    return responseOf(kept)
  }
  await work({ ...context, fetch })
  return answers
}

/** A connection on which the last of the kept answers is given to the last call, and each before it to the call of its place. */
export function replaying(context: AdapterContext, answers: readonly KeptAnswer[]): AdapterContext {
  const reads = answers.filter(({ method }) => method === 'GET')
  const given = reads.length > 0 ? reads : answers
  let at = 0
  const fetch = async (url: string, init: FetchInit = {}) => {
    // What only signs in goes through.
    if (reads.length > 0 && (init.method ?? 'GET') !== 'GET') return context.fetch(url, init)
    const kept = given[Math.min(at++, given.length - 1)]
    return kept ? responseOf(kept) : context.fetch(url, init)
  }
  return { ...context, fetch }
}

/** A connection on which whatever JSON has something at the path has another value there. `changed`: in how many answers. */
export function changingJson(context: AdapterContext, path: string, value: unknown) {
  let count = 0
  const fetch = async (url: string, init?: FetchInit) => {
    const answer = await context.fetch(url, init)
    const words = await answer.text()
    const changed = withValue(jsonIn(words), path.split('.'), value)
    if (changed !== undefined) count += 1
    const { status, headers } = answer
    return new Response(changed === undefined ? words || null : JSON.stringify(changed), { status, headers: withoutLength(headers) })
  }
  return { context: { ...context, fetch }, changed: () => count }
}

function withoutLength(headers: Headers): Headers {
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

/** Undefined where nothing stands at the path. */
function withValue(json: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined
  const inner = (json as Readonly<Record<string, unknown>>)[name]
  const changed = rest.length === 0 ? value : withValue(inner, rest, value)
  if (changed === undefined) return undefined
  if (Array.isArray(json)) return json.with(Number(name), changed)
  return { ...json, [name]: changed }
}
