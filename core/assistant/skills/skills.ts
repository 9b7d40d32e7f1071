import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { parseFrontMatter } from './front-matter.ts'
import { skillErrors } from './skills.errors.ts'
import { type NewSkill, SKILLS_MAX, type Skill, type SkillChange, type SkillWithContent, VERSIONS_MAX } from './skills.model.ts'
import {
  countSkills,
  deleteOldVersions,
  findVersion,
  insertSkill,
  insertVersion,
  listPublishedSkills,
  listSkillsOfUser,
  lockSkill,
  lockSkillsOfUser,
  type SkillKey,
  type SkillRow,
  updateSkill,
  type VersionRow,
} from './skills.queries.ts'

/** Path of a file: one of three folders, without subfolders. */
const PATH = /^(references|assets|scripts)\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
/** Bytes of SKILL.md and all files together. */
const BYTES_MAX = 512 * 1024

export type { SkillRow } from './skills.queries.ts'

/** API view of a skill. `own` is true when the viewer is its author. */
const presentSkill = ({ projectId: _, userId, ...skill }: SkillRow, viewerId: string | null): Skill => ({
  id: skill.id,
  name: skill.name,
  description: skill.description,
  version: skill.version,
  own: userId === viewerId,
  publishedVersion: skill.publishedVersion,
  publishedAt: skill.publishedAt,
  createdAt: skill.createdAt,
  updatedAt: skill.updatedAt,
})

/** Validates the content and the paths and sizes of its files. Throws `invalid_request`. */
function validateVersion(content: string, files: Readonly<Record<string, string>>): VersionRow {
  const { name, description } = parseFrontMatter(content)
  for (const path of Object.keys(files)) if (!PATH.test(path)) throw skillErrors.filePathInvalid({ field: ['files', path.slice(0, 60)] })
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(content))
  if (bytes > BYTES_MAX) throw skillErrors.skillTooLarge({ bytesMax: BYTES_MAX }, { field: ['files'] })
  return { name, description, content, files }
}

/** Adds a skill. Throws `limit_reached`, `invalid_request`, and `conflict` when the user has one of this name in the store. */
export async function addSkill(tx: Tx, userId: string, { storeId, content, files = {} }: NewSkill): Promise<Skill> {
  const version = validateVersion(content, files)
  const projectId = projectIdOf(storeId)
  await lockSkillsOfUser(tx, projectId, userId)
  if ((await countSkills(tx, projectId, userId)) >= SKILLS_MAX) throw skillErrors.tooManySkills({ skillsMax: SKILLS_MAX })
  const row = await insertSkill(tx, { projectId, id: newId('skl'), userId, name: version.name, description: version.description })
  await insertVersion(tx, row, 1, version)
  return presentSkill(row, userId)
}

/** Adds a version with the changed parts. The marketplace still shows the published one. Deletes versions beyond {@link VERSIONS_MAX}. */
export async function changeSkill(tx: Tx, userId: string, key: SkillKey, change: SkillChange): Promise<Skill> {
  const skill = await lockExistingSkill(tx, key)
  const before = await versionOf(tx, skill, skill.version)
  const version = validateVersion(change.content ?? before.content, change.files ?? before.files)
  const next = skill.version + 1
  await insertVersion(tx, skill, next, version)
  const row = await updateSkill(tx, skill, { name: version.name, description: version.description, version: next })
  await deleteOldVersions(tx, skill, next - VERSIONS_MAX)
  return presentSkill(row, userId)
}

/** Publishes the newest version in the marketplace. Throws `not_found`. */
export async function publishSkill(tx: Tx, userId: string, key: SkillKey): Promise<Skill> {
  const { version } = await lockExistingSkill(tx, key)
  return presentSkill(await updateSkill(tx, key, { publishedVersion: version, publishedAt: new Date() }), userId)
}

/** Removes a skill from the marketplace. Throws `not_found`. */
export async function unpublishSkill(tx: Tx, userId: string, key: SkillKey): Promise<Skill> {
  await lockExistingSkill(tx, key)
  return presentSkill(await updateSkill(tx, key, { publishedVersion: null, publishedAt: null }), userId)
}

async function versionOf(sql: Queryable, key: SkillKey, version: number): Promise<VersionRow> {
  const found = await findVersion(sql, key, version)
  if (!found) throw notFound('The skill')
  return found
}

async function lockExistingSkill(tx: Tx, key: SkillKey): Promise<SkillRow> {
  const skill = await lockSkill(tx, key)
  if (!skill) throw notFound('The skill')
  return skill
}

/** Reads a skill with its content: the newest version for its author, the published one for others. */
export async function readSkillWithContent(sql: Queryable, skill: SkillRow, viewerId: string | null): Promise<SkillWithContent> {
  const shown = skill.userId === viewerId ? skill.version : (skill.publishedVersion ?? skill.version)
  const { name, description, content, files } = await versionOf(sql, skill, shown)
  return { ...presentSkill(skill, viewerId), version: shown, name, description, content, files: { ...files } }
}

/** Lists the skills of a user in a store, oldest first. */
export const readOwnSkills = async (sql: Queryable, projectId: string, userId: string, after: string | null, take: number) =>
  (await listSkillsOfUser(sql, projectId, userId, after, take)).map((row) => presentSkill(row, userId))

/** Lists published skills as the marketplace shows them, oldest first. */
export const readMarketplace = async (sql: Queryable, viewerId: string, after: string | null, take: number) =>
  (await listPublishedSkills(sql, after, take)).map((row) => presentSkill(row, viewerId))

/** Lists the skills that a conversation of the user in the store can load. */
export const listLoadableSkills = (sql: Queryable, projectId: string, userId: string) =>
  listSkillsOfUser(sql, projectId, userId, null, SKILLS_MAX)

/** Returns the text of a skill for a model: SKILL.md with the names of the files, or one file. Returns null when it does not exist. */
export async function readSkillText(sql: Queryable, skill: SkillRow, path: string | undefined): Promise<string | null> {
  const found = await findVersion(sql, skill, skill.version)
  if (!found) return null
  const { content, files } = found
  if (path !== undefined) return Object.hasOwn(files, path) ? (files[path] ?? null) : null
  const names = Object.keys(files)
  return names.length > 0 ? `${content}\n\nFiles of this skill: ${names.join(', ')}` : content
}
