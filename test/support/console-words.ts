import { join } from 'node:path'

const WORDS = join(import.meta.dir, '../../core/console/web/words')

/** Texts of the console in one language: those of its frame, and those that are loaded with their page. */
export async function consoleWords(language: string): Promise<Readonly<Record<string, unknown>>> {
  const folder = join(WORDS, language)
  const files = [...new Bun.Glob('*.ts').scanSync(folder)].filter((file) => file !== 'errors.ts' && file !== 'index.ts')
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<Readonly<Record<string, object>>>))
  return Object.assign({}, ...modules.flatMap((module) => Object.values(module)))
}
