import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Approvals, type Approved, openApprovals } from '../approvals.ts'
import type { Bundle } from '../bundle.ts'
import { adapterFolders, bundleOf, type Discovered, discover, type Shelf } from '../discover.ts'
import type { Declared } from '../sandbox/protocol.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts'

/** What a command works with. Everything stands in files, so it does not matter whether the server runs. */
export interface Desk {
  readonly shelf: Shelf
  /** The adapters' part of the data folder. */
  readonly folder: string
  readonly sandbox: Sandbox
  readonly approvals: Approvals
  readonly options: Omit<SandboxOptions, 'report'>
  /** Options that were given, with their values. */
  readonly chosen: Readonly<Record<string, string>>
  say(line: string): void
}

/** Where a command writes. */
export interface Out {
  say(line: string): void
  complain(line: string): void
}

/** What went wrong, in words for the person at the keyboard. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export interface Command {
  /** What stands behind its name. */
  readonly takes: string
  readonly summary: string
  /** What else a person should know, in a few lines. */
  readonly help?: string
  /** How many arguments it takes, at least and at most. */
  readonly count: readonly [least: number, most: number]
  /** Its options, each with a value: `--kind message` where it has `kind`. */
  readonly options?: readonly string[]
  run(desk: Desk, ...given: string[]): Promise<void>
}

const UNPRINTED = /[^\P{C}\n]/gu
/** Without what a terminal would take for a command; an adapter may have written it. */
const printed = (text: string) => text.replace(UNPRINTED, '')

function openDesk(shelf: Shelf, options: Omit<SandboxOptions, 'report'>, say: (line: string) => void): Desk {
  const sandbox = openSandbox({ ...options, report: () => {} })
  return {
    shelf,
    folder: options.folder,
    sandbox,
    approvals: openApprovals(options.folder),
    options,
    chosen: {},
    say: (line) => say(printed(line)),
  }
}

/** Works at a desk of its own. Exit code: 0 done, 1 it could not be done. */
export async function atDesk(
  shelf: Shelf,
  options: Omit<SandboxOptions, 'report'>,
  out: Out,
  work: (desk: Desk) => Promise<void>,
): Promise<number> {
  const desk = openDesk(shelf, options, out.say)
  try {
    await work(desk)
    return 0
  } catch (error) {
    out.complain(printed(error instanceof Error ? error.message : String(error)))
    return 1
  } finally {
    await desk.sandbox.close()
  }
}

export const survey = ({ shelf, sandbox, approvals }: Desk): Promise<Discovered> => discover(shelf, sandbox, approvals)

/** The folder whose adapter has this slug and serves; besides `folder`, undefined where there is none. */
export async function takenBy(desk: Desk, slug: string, folder?: string): Promise<string | undefined> {
  const { found } = await survey(desk)
  return found.find((one) => one.adapter.slug === slug && one.folder !== folder)?.folder
}

/** One adapter as it lies in its folder now, beside what was approved of it. */
export interface Looked {
  readonly folder: string
  readonly own: boolean
  readonly bundle: Bundle
  readonly declared: readonly Declared[]
  readonly approved: Approved | undefined
}

export async function look(desk: Desk, target: string): Promise<Looked> {
  const { folder, own } = await place(desk, target)
  const bundle = await bundleOf(folder, own, !own && desk.shelf.isolation !== 'none', desk.sandbox.kinds)
  const declared = await desk.sandbox.inspect(bundle)
  return { folder, own, bundle, declared, approved: (await desk.approvals.all())[folder] }
}

/** The folder that a path or a slug means. Throws where it means none, or several. */
export async function place(desk: Desk, target: string): Promise<{ folder: string; own: boolean }> {
  const folders = await adapterFolders(desk.shelf, desk.sandbox.kinds)
  const named = existsSync(target) ? await realpath(resolve(target)) : undefined
  const direct = folders.find(({ folder }) => folder === named || join(folder, 'index.ts') === named)
  if (direct) return direct
  const { found, pending } = await survey(desk)
  const meant = new Set([
    ...found.filter(({ adapter }) => adapter.slug === target).map(({ folder }) => folder),
    ...pending.filter(({ slugs }) => slugs.includes(target)).map(({ folder }) => folder),
  ])
  if (meant.size > 1) throw new CommandError(`"${target}" means several folders; name one: ${[...meant].join(', ')}`)
  const [only] = meant
  if (only) return folders.find(({ folder }) => folder === only)!
  const hint = named ? ` ${named} is in none of them; put ${dirname(named)} into ADAPTER_DIRS, or "adapter add" it.` : ''
  throw new CommandError(`There is no adapter "${target}" in ADAPTER_DIRS or among the installed ones.${hint}`)
}

/** Rows with columns of equal width. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  )
}

export const short = (hash: string) => hash.slice(0, 12)
