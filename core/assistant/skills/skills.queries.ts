import { expectOne, json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Row of `chat_skills`. `publishedVersion` is null when the marketplace does not show it. */
export interface SkillRow {
  readonly projectId: string
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

/** Columns that identify a skill. */
export type SkillKey = Pick<SkillRow, 'projectId' | 'id'>

/** Content of one version, from `chat_skill_versions`. */
export interface VersionRow {
  readonly name: string
  readonly description: string
  readonly content: string
  readonly files: Readonly<Record<string, string>>
}

/** Locks the skills of a user in a project against inserts, until the transaction ends (advisory lock). */
export const lockSkillsOfUser = (sql: Tx, projectId: string, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`skills of ${userId} in ${projectId}`}, 0))`

/** Counts the skills of a user in a project. */
export const countSkills = async (sql: Queryable, projectId: string, userId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_skills where project_id = ${projectId} and user_id = ${userId}`,
  ).count

/** Inserts a skill at version 1. Its content is inserted as a version. */
export const insertSkill = async (sql: Queryable, skill: Pick<SkillRow, 'projectId' | 'id' | 'userId' | 'name' | 'description'>) =>
  expectOne(await sql<SkillRow[]>`insert into chat_skills ${rowValues(sql, skill)} returning *`)

/** Inserts a version of a skill. */
export const insertVersion = (sql: Queryable, { projectId, id }: SkillKey, version: number, { files, ...of }: VersionRow) =>
  sql`insert into chat_skill_versions (project_id, skill_id, version, name, description, content, files)
    values (${projectId}, ${id}, ${version}, ${of.name}, ${of.description}, ${of.content}, ${json(sql, files)})`

/** Finds a version of a skill. Returns undefined when the skill or the version was deleted. */
export const findVersion = async (sql: Queryable, { projectId, id }: SkillKey, version: number) =>
  (
    await sql<VersionRow[]>`select name, description, content, files from chat_skill_versions
      where project_id = ${projectId} and skill_id = ${id} and version = ${version}`
  )[0]

/** Deletes the versions before a number, except the published one. */
export const deleteOldVersions = (sql: Queryable, { projectId, id }: SkillKey, before: number) =>
  sql`delete from chat_skill_versions v using chat_skills s
    where v.project_id = ${projectId} and v.skill_id = ${id} and s.project_id = v.project_id and s.id = v.skill_id and v.version < ${before} and v.version is distinct from s.published_version`

/** Finds a skill by its id alone, as requests name it, without a lock. Uses a plain index. */
export const findSkill = async (sql: Queryable, id: string) => (await sql<SkillRow[]>`select * from chat_skills where id = ${id}`)[0]

/** Locks a skill until the transaction ends. Returns undefined when it was deleted. */
export const lockSkill = async (sql: Tx, { projectId, id }: SkillKey) =>
  (await sql<SkillRow[]>`select * from chat_skills where project_id = ${projectId} and id = ${id} for update`)[0]

/** Updates a skill and its `updated_at`. The skill must exist. */
export const updateSkill = async (
  sql: Queryable,
  { projectId, id }: SkillKey,
  change: Partial<Pick<SkillRow, 'name' | 'description' | 'version' | 'publishedVersion'>> & { publishedAt?: Date | null },
) =>
  expectOne(
    await sql<SkillRow[]>`update chat_skills set ${rowValues(sql, { ...change, updatedAt: new Date() })}
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Deletes a skill with all its versions. */
export const deleteSkill = (sql: Queryable, { projectId, id }: SkillKey) =>
  sql`delete from chat_skills where project_id = ${projectId} and id = ${id}`

const afterId = (sql: Queryable, after: string | null) => (after === null ? sql`` : sql`and id > ${after}`)

/** Lists the skills of a user in a project, oldest first, after a skill if one is given. */
export const listSkillsOfUser = (sql: Queryable, projectId: string, userId: string, after: string | null, take: number) =>
  sql<
    SkillRow[]
  >`select * from chat_skills where project_id = ${projectId} and user_id = ${userId} ${afterId(sql, after)} order by id limit ${take}`

/** Lists the published skills of all projects, with name and description of the published version, oldest first. */
export const listPublishedSkills = (sql: Queryable, after: string | null, take: number) =>
  sql<
    SkillRow[]
  >`select s.project_id, s.id, s.user_id, v.name, v.description, s.version, s.published_version, s.published_at, s.created_at, s.updated_at
    from chat_skills s join chat_skill_versions v on v.project_id = s.project_id and v.skill_id = s.id and v.version = s.published_version
    where s.published_version is not null ${after === null ? sql`` : sql`and s.id > ${after}`} order by s.id limit ${take}`

/** Deletes all skills of a project. */
export const deleteSkillsOfProject = (sql: Queryable, projectId: string) => sql`delete from chat_skills where project_id = ${projectId}`
/** Deletes all skills of a user. */
export const deleteSkillsOfUser = (sql: Queryable, userId: string) => sql`delete from chat_skills where user_id = ${userId}`
