import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { resealSecret, type SecretKey, type SecretRow, upsertSecret } from '../mcp.queries.ts'

type Seals = Pick<Context, 'vault'>

/** Context that binds a sealed value to its own row. */
const sealContext = (id: string) => `mcp ${id}`

/** Opens a sealed secret and parses its JSON. */
export const openSecret = <V>({ vault }: Seals, { id, sealed }: Pick<SecretRow, 'id' | 'sealed'>): V =>
  JSON.parse(vault.open(sealed, sealContext(id))) as V

/** Seals a value and stores it, in place of the secret with the same server, kind, user and issuer. */
export async function storeSecret(
  { vault }: Seals,
  sql: Queryable,
  of: Pick<SecretRow, 'projectId' | 'serverId' | 'kind' | 'userId' | 'issuer'>,
  value: object,
): Promise<void> {
  const id = newId('mcx')
  await upsertSecret(sql, { ...of, id, sealed: vault.seal(JSON.stringify(value), sealContext(id)) })
}

/** Replaces the value of a secret. Does nothing when the secret was deleted. */
export const replaceSecret = async ({ vault }: Seals, sql: Queryable, key: SecretKey, value: object): Promise<void> => {
  await resealSecret(sql, key, vault.seal(JSON.stringify(value), sealContext(key.id)))
}

/** Characters of an issuer that are stored. Longer ones are cut by `truncateIssuer`. */
export const ISSUER_MAX = 2000
