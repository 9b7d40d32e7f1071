import { bundleAdapter, type Home } from './bundle.ts'
import type { Said } from './bundle-apart.ts'

/** Bundles the folder that it is given, with the kinds that stand behind it, says what came of it, and ends: see `bundleApart`. */
const [folder = '', homes = '[]'] = process.argv.slice(2)
const said: Said = await bundleAdapter(folder, { within: true, kinds: JSON.parse(homes) as Home[] }).catch((error: unknown) => ({
  problem: error instanceof Error ? error.message.slice(0, 2000) : String(error),
}))
await Bun.write(Bun.stdout, JSON.stringify(said))
process.exit(0)
