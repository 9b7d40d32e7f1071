import { bundleAdapter } from './bundle.ts'
import type { Said } from './bundle-apart.ts'

/** Bundles the folder that it is given, says what came of it, and ends: see `bundleApart`. */
const said: Said = await bundleAdapter(process.argv[2]!, { within: true }).catch((error: unknown) => ({
  problem: error instanceof Error ? error.message.slice(0, 2000) : String(error),
}))
await Bun.write(Bun.stdout, JSON.stringify(said))
process.exit(0)
