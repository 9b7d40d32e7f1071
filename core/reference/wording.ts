import type { Wording } from '../http/openapi/wording.ts'
import { codesOf } from './codes.ts'
import { exampleOf } from './examples.ts'
import { meaningOf } from './meanings.ts'
import { tags } from './tags.ts'

/** Texts that complete the API description. They know all features, so only the application imports them. */
export const wording: Wording = { tags, meaningOf, exampleOf, codesOf }
