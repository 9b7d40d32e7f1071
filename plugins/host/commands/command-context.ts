import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Approvals, type ApprovedAdapter, openApprovals } from '../approvals.ts'
import type { Bundle } from '../bundle.ts'
import { type AdapterSources, bundleFolder, type Discovery, discoverAdapters, listAdapterFolders } from '../discover.ts'
import type { DeclaredAdapter } from '../sandbox/protocol.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts'

/** Context of a command. All state is in files, so the server may be running or not. */
export interface CommandContext {
  readonly shelf: AdapterSources
  /** The adapters' part of the data folder. */
  readonly folder: string
  readonly sandbox: Sandbox
  readonly approvals: Approvals
  readonly options: Omit<SandboxOptions, 'report'>
  /** Options given on the command line, with their values. */
  readonly chosen: Readonly<Record<string, string>>
  say(line: string): void
}

/** Output streams of a command. */
export interface CommandOutput {
  say(line: string): void
  complain(line: string): void
}

/** Error whose message is shown to the user of the command line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A subcommand of `serai adapter`. */
export interface Command {
  /** Usage of its arguments. */
  readonly takes: string
  readonly summary: string
  /** Further help of a few lines. */
  readonly help?: string
  /** Minimum and maximum number of arguments. */
  readonly count: readonly [least: number, most: number]
  /** Names of its options, each with a value: `--kind message` for `kind`. */
  readonly options?: readonly string[]
  run(desk: CommandContext, ...given: string[]): Promise<void>
}

const CONTROL_CHARACTERS = /[^\P{C}\n]/gu
/** Removes control characters, which a terminal would interpret; an adapter may have written the text. */
const stripControl = (text: string) => text.replace(CONTROL_CHARACTERS, '')

function openDesk(shelf: AdapterSources, options: Omit<SandboxOptions, 'report'>, say: (line: string) => void): CommandContext {
  const sandbox = openSandbox({ ...options, report: () => {} })
  return {
    shelf,
    folder: options.folder,
    sandbox,
    approvals: openApprovals(options.folder),
    options,
    chosen: {},
    say: (line) => say(stripControl(line)),
  }
}

/** Runs a command in a new context and closes it. Returns the exit code: 0 for success, 1 for failure. */
export async function runInContext(
  shelf: AdapterSources,
  options: Omit<SandboxOptions, 'report'>,
  out: CommandOutput,
  work: (desk: CommandContext) => Promise<void>,
): Promise<number> {
  const desk = openDesk(shelf, options, out.say)
  try {
    await work(desk)
    return 0
  } catch (error) {
    out.complain(stripControl(error instanceof Error ? error.message : String(error)))
    return 1
  } finally {
    await desk.sandbox.close()
  }
}

/** Searches for all adapters, as the server does at its start. */
export const discoverAll = ({ shelf, sandbox, approvals }: CommandContext): Promise<Discovery> =>
  discoverAdapters(shelf, sandbox, approvals)

/** Returns the folder of the mounted adapter with this slug, unless it is `folder`; undefined if there is none. */
export async function findSlugOwner(desk: CommandContext, slug: string, folder?: string): Promise<string | undefined> {
  const { found } = await discoverAll(desk)
  return found.find((one) => one.adapter.slug === slug && one.folder !== folder)?.folder
}

/** An adapter as its folder has it now, and its approval. */
export interface InspectedAdapter {
  readonly folder: string
  readonly own: boolean
  readonly bundle: Bundle
  readonly declared: readonly DeclaredAdapter[]
  readonly approved: ApprovedAdapter | undefined
}

/** Bundles and inspects the adapter of a path or slug. */
export async function inspectAdapter(desk: CommandContext, target: string): Promise<InspectedAdapter> {
  const { folder, own } = await findAdapterFolder(desk, target)
  const bundle = await bundleFolder(folder, { own, isolated: !own && desk.shelf.isolation !== 'none' }, desk.sandbox.kinds)
  const declared = await desk.sandbox.inspect(bundle)
  return { folder, own, bundle, declared, approved: (await desk.approvals.all())[folder] }
}

/** Finds the folder that a path or a slug names. Throws if there is none or more than one. */
export async function findAdapterFolder(desk: CommandContext, target: string): Promise<{ folder: string; own: boolean }> {
  const folders = await listAdapterFolders(desk.shelf, desk.sandbox.kinds)
  const given = existsSync(target) ? await realpath(resolve(target)) : undefined
  const direct = folders.find(({ folder }) => folder === given || join(folder, 'index.ts') === given)
  if (direct) return direct
  const { found, pending } = await discoverAll(desk)
  const meant = new Set([
    ...found.filter(({ adapter }) => adapter.slug === target).map(({ folder }) => folder),
    ...pending.filter(({ slugs }) => slugs.includes(target)).map(({ folder }) => folder),
  ])
  if (meant.size > 1) throw new CommandError(`"${target}" names several folders; choose one: ${[...meant].join(', ')}`)
  const [only] = meant
  if (only) return folders.find(({ folder }) => folder === only)!
  const hint = given ? ` ${given} is in none of them; add ${dirname(given)} to ADAPTER_DIRS, or use "adapter add".` : ''
  throw new CommandError(`There is no adapter "${target}" in ADAPTER_DIRS or among the installed ones.${hint}`)
}

/** Formats rows as columns of equal width. */
export function formatColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns the first 12 characters of a hash. */
export const shortHash = (hash: string) => hash.slice(0, 12)
