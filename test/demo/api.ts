export interface Asking {
  readonly as?: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Error answer of the server. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

const failure = (asked: string, { status, body }: Answer) => {
  const { error } = (body ?? {}) as { error?: { code: string; message: string; details?: unknown } }
  const more = error?.details ? ` ${JSON.stringify(error.details)}` : ''
  return new Refusal(
    status,
    error?.code ?? String(status),
    `${asked} answered ${status} ${error?.code ?? ''}: ${error?.message ?? JSON.stringify(body)}${more}`,
  )
}

/** Opens a client of the server over HTTP. */
export function openApi(origin: string) {
  async function call(method: string, path: string, { as, body, idempotencyKey }: Asking = {}): Promise<Answer> {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const words = await response.text()
    const answer = { status: response.status, headers: response.headers, body: words === '' ? null : JSON.parse(words) }
    if (!response.ok) throw failure(`${method} ${path}`, answer)
    return answer
  }

  const data = async <V>(method: string, path: string, asking?: Asking) => ((await call(method, path, asking)).body as { data: V }).data

  return {
    origin,
    call,
    get: <V>(path: string, as: string) => data<V>('GET', path, { as }),
    post: <V>(path: string, asking: Asking) => data<V>('POST', path, asking),
    put: <V>(path: string, asking: Asking) => data<V>('PUT', path, asking),
    /** Returns all rows of a list, page by page. */
    async all<V>(path: string, as: string): Promise<V[]> {
      const rows: V[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const { body } = await call('GET', page, { as })
        const { data, nextCursor } = body as { data: V[]; nextCursor: string | null }
        rows.push(...data)
        cursor = nextCursor
      }
      return rows
    },
  }
}

export type Api = ReturnType<typeof openApi>
