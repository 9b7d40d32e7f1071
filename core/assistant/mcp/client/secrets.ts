import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { resealSecret, type SecretRow, upsertSecret } from '../mcp.queries.ts'

type Seals = Pick<Context, 'vault'>

/** What is sealed is bound to its own row, and opens nowhere else. */
const ownerOf = (id: string) => `mcp ${id}`

export const opened = <V>({ vault }: Seals, { id, sealed }: Pick<SecretRow, 'id' | 'sealed'>): V =>
  JSON.parse(vault.open(sealed, ownerOf(id))) as V

export async function keepSecret(
  { vault }: Seals,
  sql: Queryable,
  of: Pick<SecretRow, 'storeId' | 'serverId' | 'kind' | 'userId' | 'issuer'>,
  value: object,
): Promise<void> {
  const id = newId('mcx')
  await upsertSecret(sql, { ...of, id, sealed: vault.seal(JSON.stringify(value), ownerOf(id)) })
}

/** Keeps something else in the same place, as long as it is there. */
export const keepInstead = async ({ vault }: Seals, sql: Queryable, { id }: Pick<SecretRow, 'id'>, value: object): Promise<void> => {
  await resealSecret(sql, id, vault.seal(JSON.stringify(value), ownerOf(id)))
}

/** Who gives the tokens, as it is written down; longer names than any are cut by who made them. */
export const ISSUER_MAX = 2000
