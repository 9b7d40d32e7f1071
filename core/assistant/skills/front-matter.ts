import { lazy } from '../../lib/lazy.ts'
import { skillErrors } from './skills.errors.ts'

const yaml = lazy(() => require('yaml') as typeof import('yaml'))
/** Pattern of a skill's name. */
const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const NAME_MAX = 64
const DESCRIPTION_MAX = 1024
const COMPATIBILITY_MAX = 500
const FRONT_MAX = 8_192

/** Required fields of a front matter. */
export interface FrontMatter {
  readonly name: string
  readonly description: string
}

/** Field of the request that holds the text of SKILL.md. */
const at = { field: ['content'] }

/** Parses the YAML front matter of a SKILL.md. Throws `invalid_request` with the problem. */
export function parseFrontMatter(content: string): FrontMatter {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(content)
  if (!match) throw skillErrors.frontMatterMissing(at)
  const front = match[1] ?? ''
  if (front.length > FRONT_MAX) throw skillErrors.frontMatterTooLong({ charactersMax: FRONT_MAX }, at)
  const fields = parseYaml(front)
  const unknownKey = Object.keys(fields).find((key) => !KNOWN.includes(key))
  if (unknownKey !== undefined) throw skillErrors.keyUnknown({ known: KNOWN.join(', '), key: unknownKey.slice(0, 60) }, at)
  const { name, description, compatibility, metadata } = fields
  if (typeof name !== 'string' || name.length > NAME_MAX || !SKILL_NAME.test(name))
    throw skillErrors.nameInvalid({ charactersMax: NAME_MAX }, at)
  if (typeof description !== 'string' || description.trim() === '' || description.length > DESCRIPTION_MAX)
    throw skillErrors.descriptionInvalid({ charactersMax: DESCRIPTION_MAX }, at)
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || compatibility.length > COMPATIBILITY_MAX)
  )
    throw skillErrors.compatibilityInvalid({ charactersMax: COMPATIBILITY_MAX }, at)
  for (const key of ['license', 'allowed-tools'] as const)
    if (fields[key] !== undefined && typeof fields[key] !== 'string') throw skillErrors.textExpected({ key }, at)
  if (metadata !== undefined && !isMapOfTexts(metadata)) throw skillErrors.metadataInvalid(at)
  return { name, description }
}

function parseYaml(front: string): Record<string, unknown> {
  let value: unknown
  try {
    // Refuses aliases, which can expand without limit.
    value = yaml().parse(front, { maxAliasCount: 0, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' })
  } catch {
    throw skillErrors.frontMatterUnreadable(at)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw skillErrors.frontMatterNotAMap(at)
  return value as Record<string, unknown>
}

const isMapOfTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === 'string')
