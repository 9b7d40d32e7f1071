import { type Static, Type as T } from '@sinclair/typebox'
import { Written } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, stated, Timestamp } from '../../http/schema.ts'

export const SKILLS_MAX = 100
export const VERSIONS_MAX = 50

const Content = stated(Written(100_000, 1), {
  pattern: '^---\\r?\\n[^\\u0000]*\\r?\\n---(\\r?\\n[^\\u0000]*)?$',
  example: '---\nname: wrapping\ndescription: How to wrap a parcel\n---\n\nFold the paper twice.',
})
const Files = MapOf(200, Written(100_000), {
  maxProperties: 20,
  description: 'texts by path, one folder deep: references/, assets/ or scripts/. Scripts are read, and never run here',
})

export const NewSkill = named(
  'NewSkill',
  exact({ storeId: Id, content: { ...Content, description: 'SKILL.md: front matter in YAML, then Markdown' }, files: Maybe(Files) }),
)
export type NewSkill = Static<typeof NewSkill>

export const SkillChange = named(
  'SkillChange',
  exact({ content: Maybe(Content), files: Maybe(Files) }, { minProperties: 1, description: 'makes another version' }),
)
export type SkillChange = Static<typeof SkillChange>

const shown = {
  id: Id,
  name: T.String(),
  description: T.String(),
  version: T.Integer(),
  own: T.Boolean({ description: 'whether you wrote it' }),
  publishedVersion: Nullable(T.Integer({ description: 'what the marketplace shows' })),
  publishedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const Skill = named('Skill', T.Object(shown))
export type Skill = Static<typeof Skill>

export const WholeSkill = named('WholeSkill', T.Object({ ...shown, content: T.String(), files: T.Record(T.String(), T.String()) }))
export type WholeSkill = Static<typeof WholeSkill>

export const SkillTemplate = named('SkillTemplate', T.Object({ content: T.String() }))

export const TEMPLATE = `---
name: answer-returns
description: How this shop answers customers who want to send something back. Use it when somebody asks about returns or exchanges.
---

# Answer returns

1. Read the order.
2. Say which day it was delivered, and whether that is within fourteen days.
3. Propose a note for the order.
`
