import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readConfig } from '../../core/config.ts'
import { serve } from '../../core/serve.ts'
import { removeScratch, scratchFolder } from '../support/scratch.ts'

const DOCS = join(import.meta.dir, '../../docs')

/** Texts of pages by their path below `docs/`. */
export type Pages = Readonly<Record<string, string>>

/** Reads the page `name.md` and all pages of its folder. A page that no generator writes any more is there as well. */
export async function readPages(name: string): Promise<Pages> {
  const paths = [`${name}.md`, ...new Bun.Glob(`${name}/**/*.md`).scanSync(DOCS)].sort()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await Bun.file(join(DOCS, path)).text()] as const)))
}

/** Writes the page `name.md` and its folder, and removes pages that are generated no more. */
export async function writePages(name: string, pages: Pages): Promise<void> {
  await rm(join(DOCS, name), { recursive: true, force: true })
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(DOCS, path)), { recursive: true })
    await Bun.write(join(DOCS, path), text)
  }
}

/** Replaces what stands between `<!-- name -->` and `<!-- end of name -->`. */
export function withSection(page: string, name: string, text: string): string {
  const [from, to] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  if (!page.includes(from) || !page.includes(to)) throw new Error(`The page has no section ${from} … ${to}.`)
  return `${page.slice(0, page.indexOf(from) + from.length)}\n${text}\n${page.slice(page.indexOf(to))}`
}

/** Returns the OpenAPI document of a server on a database that is gone afterwards. */
export async function documentOfServer<D>(): Promise<D> {
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal' }), { socket: false })
  try {
    const response = await running.handle(new Request('http://localhost/openapi.json'))
    return (await response.json()) as D
  } finally {
    await running.stop()
    await removeScratch()
  }
}
