import { expectOne, json, type Queryable, row, type Tx } from '../../data/sql.ts'

export interface SkillRow {
  readonly storeId: string
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly publishedVersion: number | null
  readonly publishedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface VersionRow {
  readonly name: string
  readonly description: string
  readonly content: string
  readonly files: Readonly<Record<string, string>>
}

/** Nobody else adds a skill of this person's in the store until the transaction ends. */
export const holdSkillsOf = (sql: Tx, storeId: string, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`skills of ${userId} in ${storeId}`}, 0))`

export const countSkills = async (sql: Queryable, storeId: string, userId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_skills where store_id = ${storeId} and user_id = ${userId}`,
  ).count

export const insertSkill = async (sql: Queryable, skill: Pick<SkillRow, 'storeId' | 'id' | 'userId' | 'name' | 'description'>) =>
  expectOne(await sql<SkillRow[]>`insert into chat_skills ${row(sql, skill)} returning *`)

export const insertVersion = (sql: Queryable, storeId: string, skillId: string, version: number, { files, ...of }: VersionRow) =>
  sql`insert into chat_skill_versions (store_id, skill_id, version, name, description, content, files)
    values (${storeId}, ${skillId}, ${version}, ${of.name}, ${of.description}, ${of.content}, ${json(sql, files)})`

/** Undefined where its skill is gone by now, or it with those of long ago. */
export const findVersion = async (sql: Queryable, skillId: string, version: number) =>
  (
    await sql<VersionRow[]>`select name, description, content, files from chat_skill_versions
      where skill_id = ${skillId} and version = ${version}`
  )[0]

/** Those of long ago go, but not the one that the marketplace shows. */
export const dropVersions = (sql: Queryable, skillId: string, before: number) =>
  sql`delete from chat_skill_versions v using chat_skills s
    where v.skill_id = ${skillId} and s.id = v.skill_id and v.version < ${before} and v.version is distinct from s.published_version`

export const findSkill = async (sql: Queryable, id: string) => (await sql<SkillRow[]>`select * from chat_skills where id = ${id}`)[0]

export const lockSkill = async (sql: Tx, id: string) => (await sql<SkillRow[]>`select * from chat_skills where id = ${id} for update`)[0]

export const updateSkill = async (
  sql: Queryable,
  id: string,
  change: Partial<Pick<SkillRow, 'name' | 'description' | 'version' | 'publishedVersion'>> & { publishedAt?: Date | null },
) => expectOne(await sql<SkillRow[]>`update chat_skills set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)

export const deleteSkill = (sql: Queryable, id: string) => sql`delete from chat_skills where id = ${id}`

const beyond = (sql: Queryable, after: string | null) => (after === null ? sql`` : sql`and id > ${after}`)

/** A person's own in this store, oldest first. */
export const listOwn = (sql: Queryable, storeId: string, userId: string, after: string | null, take: number) =>
  sql<
    SkillRow[]
  >`select * from chat_skills where store_id = ${storeId} and user_id = ${userId} ${beyond(sql, after)} order by id limit ${take}`

/** What the marketplace shows, as it was published, oldest first. */
export const listPublished = (sql: Queryable, after: string | null, take: number) =>
  sql<
    SkillRow[]
  >`select s.store_id, s.id, s.user_id, v.name, v.description, s.version, s.published_version, s.published_at, s.created_at, s.updated_at
    from chat_skills s join chat_skill_versions v on v.skill_id = s.id and v.version = s.published_version
    where s.published_version is not null ${after === null ? sql`` : sql`and s.id > ${after}`} order by s.id limit ${take}`

export const deleteSkillsOf = (sql: Queryable, storeId: string) => sql`delete from chat_skills where store_id = ${storeId}`
export const deleteSkillsOfPerson = (sql: Queryable, userId: string) => sql`delete from chat_skills where user_id = ${userId}`
