import { bundleAdapter, type KindFolder } from './bundle.ts'
import type { BundleOutcome } from './bundle-in-process.ts'

/**
 * Program that bundles the folder of its first argument with the kinds of its second, prints the result and exits. See `bundleInProcess`.
 */
const [folder = '', directories = '[]'] = process.argv.slice(2)
const said: BundleOutcome = await bundleAdapter(folder, { within: true, kinds: JSON.parse(directories) as KindFolder[] }).catch(
  (error: unknown) => ({
    problem: error instanceof Error ? error.message.slice(0, 2000) : String(error),
  }),
)
await Bun.write(Bun.stdout, JSON.stringify(said))
process.exit(0)
