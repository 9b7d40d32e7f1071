import { type Answer, ask, problemOf, type Query } from 'serai/connector'
import { type Context, HOST, label } from './fields.ts'

/** Makes one call. Throws by the platform's meaning of any answer that is not a success. */
export async function call(
  context: Context,
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  { query, json }: { readonly query?: Query; readonly json?: unknown } = {},
): Promise<Answer> {
  const answer = await ask(context, label, `https://${HOST}/${path}`, {
    method,
    headers: { authorization: `Bearer ${context.credentials.token}` },
    ...(query && { query }),
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, label, answer, { method })
  return answer
}
