import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A macro runs in the process that bundles it. */
export function run() {
  writeFileSync(join(tmpdir(), 'serai-macro-canary'), 'reached')
  return 'reached'
}
