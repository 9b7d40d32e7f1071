import type { Wording } from '../http/openapi/wording.ts'
import { codesOf } from './codes.ts'
import { exampleOf } from './examples.ts'
import { meaningOf } from './meanings.ts'
import { tags } from './tags.ts'

/** Words that complete the description of the interface: they know all features, and nothing but the application knows them. */
export const wording: Wording = { tags, meaningOf, exampleOf, codesOf }
