import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { readFrontMatter } from './front-matter.ts'
import { type NewSkill, SKILLS_MAX, type Skill, type SkillChange, VERSIONS_MAX, type WholeSkill } from './skills.model.ts'
import {
  countSkills,
  dropVersions,
  findVersion,
  holdSkillsOf,
  insertSkill,
  insertVersion,
  listOwn,
  listPublished,
  lockSkill,
  type SkillRow,
  updateSkill,
  type VersionRow,
} from './skills.queries.ts'

const PATH = /^(references|assets|scripts)\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const BYTES_MAX = 512 * 1024

export type { SkillRow } from './skills.queries.ts'

/** A skill as its author sees it, or anybody in the marketplace. */
export const present = ({ storeId: _, userId, ...skill }: SkillRow, asker: string | null): Skill => ({
  id: skill.id,
  name: skill.name,
  description: skill.description,
  version: skill.version,
  own: userId === asker,
  publishedVersion: skill.publishedVersion,
  publishedAt: skill.publishedAt,
  createdAt: skill.createdAt,
  updatedAt: skill.updatedAt,
})

/** Throws `invalid_request` where it is no skill. */
function checked(content: string, files: Readonly<Record<string, string>>): VersionRow {
  const { name, description } = readFrontMatter(content)
  for (const path of Object.keys(files))
    if (!PATH.test(path))
      throw invalid(`/body/files/${path.slice(0, 60)}`, 'A file lies in references/, assets/ or scripts/, and in no folder below.')
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(content))
  if (bytes > BYTES_MAX) throw invalid('/body/files', `All of a skill together has at most ${BYTES_MAX} bytes.`)
  return { name, description, content, files }
}

/** Throws `limit_reached`, `invalid_request`; `conflict` where he has one of this name in the store. */
export async function addSkill(tx: Tx, userId: string, { storeId, content, files = {} }: NewSkill): Promise<Skill> {
  const version = checked(content, files)
  await holdSkillsOf(tx, storeId, userId)
  if ((await countSkills(tx, storeId, userId)) >= SKILLS_MAX)
    throw new ApiError('limit_reached', `There may be ${SKILLS_MAX} skills. Delete one that is not needed any more.`)
  const row = await insertSkill(tx, { storeId, id: newId('skl'), userId, name: version.name, description: version.description })
  await insertVersion(tx, storeId, row.id, 1, version)
  return present(row, userId)
}

/** Makes another version; the marketplace goes on showing the one that was published. */
export async function changeSkill(tx: Tx, userId: string, id: string, change: SkillChange): Promise<Skill> {
  const skill = await held(tx, id)
  const before = await versionOf(tx, id, skill.version)
  const version = checked(change.content ?? before.content, change.files ?? before.files)
  const next = skill.version + 1
  await insertVersion(tx, skill.storeId, id, next, version)
  const row = await updateSkill(tx, id, { name: version.name, description: version.description, version: next })
  await dropVersions(tx, id, next - VERSIONS_MAX)
  return present(row, userId)
}

/** Shows the newest version to everybody. */
export async function publishSkill(tx: Tx, userId: string, id: string): Promise<Skill> {
  const { version } = await held(tx, id)
  return present(await updateSkill(tx, id, { publishedVersion: version, publishedAt: new Date() }), userId)
}

/** Takes it back: the marketplace shows it no more. */
export async function unpublishSkill(tx: Tx, userId: string, id: string): Promise<Skill> {
  await held(tx, id)
  return present(await updateSkill(tx, id, { publishedVersion: null, publishedAt: null }), userId)
}

async function versionOf(sql: Queryable, id: string, version: number): Promise<VersionRow> {
  const found = await findVersion(sql, id, version)
  if (!found) throw notFound('The skill')
  return found
}

async function held(tx: Tx, id: string): Promise<SkillRow> {
  const skill = await lockSkill(tx, id)
  if (!skill) throw notFound('The skill')
  return skill
}

/** All of it: to its author the newest version, to others the published one. */
export async function wholeSkill(sql: Queryable, skill: SkillRow, asker: string | null): Promise<WholeSkill> {
  const shown = skill.userId === asker ? skill.version : (skill.publishedVersion ?? skill.version)
  const { name, description, content, files } = await versionOf(sql, skill.id, shown)
  return { ...present(skill, asker), version: shown, name, description, content, files: { ...files } }
}

export const ownSkills = async (sql: Queryable, storeId: string, userId: string, after: string | null, take: number) =>
  (await listOwn(sql, storeId, userId, after, take)).map((row) => present(row, userId))

export const marketplace = async (sql: Queryable, asker: string, after: string | null, take: number) =>
  (await listPublished(sql, after, take)).map((row) => present(row, asker))

/** What a conversation of this person in this store may load, by name and description. */
export const skillsFor = (sql: Queryable, storeId: string, userId: string) => listOwn(sql, storeId, userId, null, SKILLS_MAX)

/** What a model asked to read of a skill: all of SKILL.md, or one of its files. Null where there is none, or none any more. */
export async function readSkill(sql: Queryable, skill: SkillRow, path: string | undefined): Promise<string | null> {
  const found = await findVersion(sql, skill.id, skill.version)
  if (!found) return null
  const { content, files } = found
  if (path !== undefined) return Object.hasOwn(files, path) ? (files[path] ?? null) : null
  const names = Object.keys(files)
  return names.length > 0 ? `${content}\n\nFiles of this skill: ${names.join(', ')}` : content
}
