import { parse } from 'yaml'
import { invalidField } from '../../lib/errors/domain-error.ts'

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

const invalidContent = (message: string) => invalidField(['content'], message)

/** Parses the YAML front matter of a SKILL.md. Throws `invalid_request` with the problem. */
export function parseFrontMatter(content: string): FrontMatter {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(content)
  if (!match) throw invalidContent('SKILL.md must begin with front matter: ---, name and description as YAML, ---.')
  const front = match[1] ?? ''
  if (front.length > FRONT_MAX) throw invalidContent(`The front matter may have at most ${FRONT_MAX} characters.`)
  const fields = parseYaml(front)
  const unknownKey = Object.keys(fields).find((key) => !KNOWN.includes(key))
  if (unknownKey !== undefined) throw invalidContent(`The front matter may have ${KNOWN.join(', ')}; not ${unknownKey.slice(0, 60)}.`)
  const { name, description, compatibility, metadata } = fields
  if (typeof name !== 'string' || name.length > NAME_MAX || !SKILL_NAME.test(name))
    throw invalidContent(`name: 1 to ${NAME_MAX} of a-z, 0-9 and single hyphens between them.`)
  if (typeof description !== 'string' || description.trim() === '' || description.length > DESCRIPTION_MAX)
    throw invalidContent(`description: 1 to ${DESCRIPTION_MAX} characters that say what the skill does and when to use it.`)
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || compatibility.length > COMPATIBILITY_MAX)
  )
    throw invalidContent(`compatibility: 1 to ${COMPATIBILITY_MAX} characters.`)
  for (const key of ['license', 'allowed-tools'] as const)
    if (fields[key] !== undefined && typeof fields[key] !== 'string') throw invalidContent(`${key}: a text.`)
  if (metadata !== undefined && !isMapOfTexts(metadata)) throw invalidContent('metadata: names with texts.')
  return { name, description }
}

function parseYaml(front: string): Record<string, unknown> {
  let value: unknown
  try {
    // Refuses aliases, which can expand without limit.
    value = parse(front, { maxAliasCount: 0, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' })
  } catch {
    throw invalidContent('The front matter is not YAML.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidContent('The front matter must be lines of name: value.')
  return value as Record<string, unknown>
}

const isMapOfTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === 'string')
