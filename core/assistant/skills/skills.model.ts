import { type Static, Type as T } from '@sinclair/typebox'
import { StorableText } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, stated, Timestamp } from '../../http/schema.ts'

/** Skills that a user may have in a store. */
export const SKILLS_MAX = 100
/** Versions of a skill that are stored besides the newest and the published one. */
export const VERSIONS_MAX = 50

const Content = stated(StorableText(100_000, 1), {
  pattern: '^---\\r?\\n[^\\u0000]*\\r?\\n---(\\r?\\n[^\\u0000]*)?$',
  example: '---\nname: wrapping\ndescription: How to wrap a parcel\n---\n\nFold the paper twice.',
})
const Files = MapOf(200, StorableText(100_000), {
  maxProperties: 20,
  description: 'texts by path, one folder deep: references/, assets/ or scripts/. Scripts are only read, never run',
})

/** Body that adds a skill. */
export const NewSkill = named(
  'NewSkill',
  exact({ storeId: Id, content: { ...Content, description: 'SKILL.md: front matter in YAML, then Markdown' }, files: Maybe(Files) }),
)
/** Type of {@link NewSkill}. */
export type NewSkill = Static<typeof NewSkill>

/** Body that adds a version of a skill; omitted parts stay as they are. */
export const SkillChange = named(
  'SkillChange',
  exact({ content: Maybe(Content), files: Maybe(Files) }, { minProperties: 1, description: 'adds a version' }),
)
/** Type of {@link SkillChange}. */
export type SkillChange = Static<typeof SkillChange>

const shown = {
  id: Id,
  name: T.String(),
  description: T.String(),
  version: T.Integer(),
  own: T.Boolean({ description: 'true when you wrote it' }),
  publishedVersion: Nullable(T.Integer({ description: 'version that the marketplace shows' })),
  publishedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
/** Skill without its content. */
export const Skill = named('Skill', T.Object(shown))
/** Type of {@link Skill}. */
export type Skill = Static<typeof Skill>

/** Skill with its SKILL.md and its files. */
export const SkillWithContent = named('WholeSkill', T.Object({ ...shown, content: T.String(), files: T.Record(T.String(), T.String()) }))
/** Type of {@link SkillWithContent}. */
export type SkillWithContent = Static<typeof SkillWithContent>

/** Example of a SKILL.md to start from. */
export const SkillTemplate = named('SkillTemplate', T.Object({ content: T.String() }))

/** Text of the example SKILL.md. */
export const SKILL_TEMPLATE = `---
name: answer-returns
description: How this shop answers customers who want to send something back. Use it when somebody asks about returns or exchanges.
---

# Answer returns

1. Read the order.
2. Say which day it was delivered, and whether that is within fourteen days.
3. Propose a note for the order.
`
