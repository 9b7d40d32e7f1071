import { scopes } from '../../core/http/auth/scopes.ts'
import { insist } from './process.ts'

/** A client of a running server, as a storefront would write it; survives the server's crashes. */
export function storefront(url: string) {
  async function ask(method: string, path: string, as: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await insist(url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
    return { status: answer.status, body: (await answer.json().catch(() => null)) as any }
  }

  async function ok(method: string, path: string, as: string, body?: unknown, headers?: Record<string, string>) {
    const { status, body: answer } = await ask(method, path, as, body, headers)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    return answer.data
  }

  /** Signs up and opens a store with a key of every scope. */
  async function open() {
    const answer = await insist(`${url}/v1/users/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Owner', email: `owner-${Date.now()}@example.dz`, password: 'correct horse' }),
    })
    const { data } = (await answer.json()) as { data: { token: string } }
    const as = data.token
    const store = await ok('POST', '/v1/stores', as, { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
    const { key } = await ok('POST', `/v1/projects/${store.projectId}/api-keys`, as, {
      name: 'all',
      scopes,
    })
    return { as, key, storeId: store.id as string, projectId: store.projectId as string }
  }

  return { ask, ok, open }
}

/** Runs `work` over all rows, `width` at once. */
export async function inParallel<Row, Result>(
  rows: readonly Row[],
  width: number,
  work: (row: Row, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = Array(rows.length)
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let at = next++; at < rows.length; at = next++) results[at] = await work(rows[at]!, at)
    }),
  )
  return results
}
