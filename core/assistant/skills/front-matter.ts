import { parse } from 'yaml'
import { invalid } from '../../http/errors/errors.ts'

export const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const NAME_MAX = 64
const DESCRIPTION_MAX = 1024
const COMPATIBILITY_MAX = 500
const FRONT_MAX = 8_192

export interface Read {
  readonly name: string
  readonly description: string
}

const refuse = (message: string) => invalid('/body/content', message)

/** What stands in front of a SKILL.md. Throws `invalid_request`, which says what is wrong with it. */
export function readFrontMatter(content: string): Read {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(content)
  if (!match) throw refuse('It begins with front matter: ---, name and description as YAML, ---.')
  const front = match[1] ?? ''
  if (front.length > FRONT_MAX) throw refuse(`The front matter has at most ${FRONT_MAX} characters.`)
  const said = parsed(front)
  const stranger = Object.keys(said).find((key) => !KNOWN.includes(key))
  if (stranger !== undefined) throw refuse(`The front matter knows ${KNOWN.join(', ')}; not ${stranger.slice(0, 60)}.`)
  const { name, description, compatibility, metadata } = said
  if (typeof name !== 'string' || name.length > NAME_MAX || !NAME.test(name))
    throw refuse(`name: 1 to ${NAME_MAX} of a-z, 0-9 and single hyphens between them.`)
  if (typeof description !== 'string' || description.trim() === '' || description.length > DESCRIPTION_MAX)
    throw refuse(`description: 1 to ${DESCRIPTION_MAX} characters that say what it does and when it is of use.`)
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || compatibility.length > COMPATIBILITY_MAX)
  )
    throw refuse(`compatibility: 1 to ${COMPATIBILITY_MAX} characters.`)
  for (const key of ['license', 'allowed-tools'] as const)
    if (said[key] !== undefined && typeof said[key] !== 'string') throw refuse(`${key}: a text.`)
  if (metadata !== undefined && !isMapOfTexts(metadata)) throw refuse('metadata: names with texts.')
  return { name, description }
}

function parsed(front: string): Record<string, unknown> {
  let said: unknown
  try {
    // An alias that names itself many times over would grow without end.
    said = parse(front, { maxAliasCount: 0, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' })
  } catch {
    throw refuse('The front matter is not YAML.')
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) throw refuse('The front matter is name: value, one a line.')
  return said as Record<string, unknown>
}

const isMapOfTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === 'string')
