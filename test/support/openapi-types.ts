import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/**
 * Writes the TypeScript types of an OpenAPI document. `openapi-typescript` uses the compiler's old interface, which TypeScript 7 lacks:
 * `folder` gets a copy of it that finds TypeScript 6 beside itself.
 */
export async function writeTypesOf(document: object, folder: string): Promise<string> {
  const modules = join(folder, 'node_modules')
  rmSync(modules, { recursive: true, force: true })
  mkdirSync(modules, { recursive: true })
  cpSync(join(root, 'node_modules/openapi-typescript'), join(modules, 'openapi-typescript'), { recursive: true, dereference: true })
  symlinkSync(join(root, 'node_modules/@typescript/typescript6'), join(modules, 'typescript'))
  const generator = (await import(join(modules, 'openapi-typescript/dist/index.mjs'))) as {
    default(source: object): Promise<unknown>
    astToString(ast: unknown): string
  }
  return generator.astToString(await generator.default(structuredClone(document)))
}
