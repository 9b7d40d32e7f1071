import { expectOne, type Queryable } from '../../data/sql.ts'

const listMarks = (sql: Queryable) => sql<{ sealed: string }[]>`select sealed from vault_mark`

/** Finds the sealed mark; undefined in a new database. */
export const findMark = async (sql: Queryable) => (await listMarks(sql))[0]?.sealed
/** Reads the sealed mark. Throws if there is none. */
export const readMark = async (sql: Queryable) => expectOne(await listMarks(sql)).sealed

/** Inserts the mark unless there is one. Returns the mark that is stored. */
export const insertMark = async (sql: Queryable, sealed: string) => {
  await sql`insert into vault_mark (sealed) values (${sealed}) on conflict do nothing`
  return readMark(sql)
}

/** Updates the mark. */
export const updateMark = (sql: Queryable, sealed: string) => sql`update vault_mark set sealed = ${sealed}`

/** Sealed value and the id of its owner. */
export interface SealedValue {
  readonly owner: string
  readonly sealed: string
}

/** Finds any sealed value of a database without a mark. */
export const findSealedSample = async (sql: Queryable) =>
  (
    await sql<SealedValue[]>`
      (select id as owner, credentials as sealed from integrations where credentials <> '' limit 1)
      union all (select id, secrets->0->>'sealed' from webhook_endpoints where jsonb_array_length(secrets) > 0 limit 1) limit 1`
  )[0]

type Found = SealedValue & { readonly row: string }

/** Place with sealed values. `list` returns values of other keys after a row; `replace` updates a value unless it has changed meanwhile. */
export interface SealedColumn {
  list(sql: Queryable, prefix: string, after: string, most: number): Promise<readonly Found[]>
  replace(sql: Queryable, row: string, before: string, after: string): Promise<unknown>
}

const integrations: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select project_id || ' ' || id as row, id as owner, credentials as sealed from integrations
    where (project_id, id) > (${after.split(' ')[0] ?? ''}, ${after.split(' ')[1] ?? ''}) and credentials <> '' and not starts_with(credentials, ${prefix})
    order by project_id, id limit ${most}`,
  replace: async (sql, row, before, after) => {
    const [projectId, id] = row.split(' ') as [string, string]
    return sql`update integrations set credentials = ${after} where project_id = ${projectId} and id = ${id} and credentials = ${before}`
  },
}

const oauthTokens: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select project_id || ' ' || connection_id as row, 'oauth ' || connection_id as owner, sealed from oauth_tokens
    where (project_id, connection_id) > (${after.split(' ')[0] ?? ''}, ${after.split(' ')[1] ?? ''}) and not starts_with(sealed, ${prefix})
    order by project_id, connection_id limit ${most}`,
  replace: async (sql, row, before, after) => {
    const [projectId, id] = row.split(' ') as [string, string]
    return sql`update oauth_tokens set sealed = ${after} where project_id = ${projectId} and connection_id = ${id} and sealed = ${before}`
  },
}

const webhookEndpoints: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select project_id || ' ' || id || ' ' || place - 1 as row, id as owner, secret->>'sealed' as sealed
    from webhook_endpoints, jsonb_array_elements(secrets) with ordinality as s (secret, place)
    where project_id || ' ' || id || ' ' || place - 1 > ${after} and not starts_with(secret->>'sealed', ${prefix}) order by 1 limit ${most}`,
  replace: async (sql, row, before, after) => {
    const [projectId, id, at] = row.split(' ') as [string, string, string]
    return sql`update webhook_endpoints set secrets = jsonb_set(secrets, array[${at}, 'sealed'], to_jsonb(${after}::text))
      where project_id = ${projectId} and id = ${id} and secrets->${Number(at)}::int->>'sealed' = ${before}`
  },
}

/** Idempotency keys. There may be millions, so batches are found by their key instead of an expression. */
const idempotencyKeys: SealedColumn = {
  list: async (sql, prefix, after, most) => {
    const at = after.indexOf('\n')
    return sql<Found[]>`
      select owner || chr(10) || key as row, owner, body as sealed from idempotency_keys
      where (owner, key) > (${after.slice(0, Math.max(0, at))}, ${after.slice(at + 1)}) and not starts_with(body, ${prefix})
      order by owner, key limit ${most}`
  },
  replace: async (sql, row, before, after) => {
    const at = row.indexOf('\n')
    return sql`update idempotency_keys set body = ${after} where owner = ${row.slice(0, at)} and key = ${row.slice(at + 1)} and body = ${before}`
  },
}

const mails: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select id as row, id as owner, content as sealed from mails
    where id > ${after} and content is not null and not starts_with(content, ${prefix}) order by id limit ${most}`,
  replace: async (sql, row, before, after) => sql`update mails set content = ${after} where id = ${row} and content = ${before}`,
}

const secondFactors: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select user_id as row, 'second factor ' || user_id as owner, secret as sealed from second_factors
    where user_id > ${after} and not starts_with(secret, ${prefix}) order by user_id limit ${most}`,
  replace: async (sql, row, before, after) =>
    sql`update second_factors set secret = ${after} where user_id = ${row} and secret = ${before}`,
}

const mcpSecrets: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select project_id || ' ' || id as row, 'mcp ' || id as owner, sealed from mcp_secrets
    where (project_id, id) > (${after.split(' ')[0] ?? ''}, ${after.split(' ')[1] ?? ''}) and not starts_with(sealed, ${prefix})
    order by project_id, id limit ${most}`,
  replace: async (sql, row, before, after) => {
    const [projectId, id] = row.split(' ') as [string, string]
    return sql`update mcp_secrets set sealed = ${after} where project_id = ${projectId} and id = ${id} and sealed = ${before}`
  },
}

const socialIdentities: SealedColumn = {
  list: async (sql, prefix, after, most) => sql<Found[]>`
    select id as row, 'social ' || provider || ' ' || subject as owner, sealed_token as sealed from social_identities
    where id > ${after} and not starts_with(sealed_token, ${prefix}) order by id limit ${most}`,
  replace: async (sql, row, before, after) =>
    sql`update social_identities set sealed_token = ${after} where id = ${row} and sealed_token = ${before}`,
}

/** All places with sealed values. */
export const sealedColumns = [
  integrations,
  oauthTokens,
  webhookEndpoints,
  idempotencyKeys,
  mails,
  secondFactors,
  mcpSecrets,
  socialIdentities,
] as const
