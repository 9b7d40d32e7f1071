import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOfServer } from '../docs/generated.ts'
import { writeTypesOf } from '../support/openapi-types.ts'

/** Writes the types of the API for the browser code of the console. They are derived, and never committed. */
const folder = join(import.meta.dir, '../../node_modules/.cache/console')
mkdirSync(folder, { recursive: true })
const types = await writeTypesOf(await documentOfServer<object>(), folder)
writeFileSync(join(folder, 'api.d.ts'), types)
