import { dirname, join } from 'node:path'

const packageFolder = (name: string) => dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir))
const inter = packageFolder('@fontsource-variable/inter')
const arabic = packageFolder('@fontsource/ibm-plex-sans-arabic')

/** Files of the fonts by the name that the style sheet uses. A new version of a font gets a new name, because browsers keep these for a year. */
export const fontFiles: ReadonlyMap<string, string> = new Map([
  ['inter-latin-5.3.0.woff2', join(inter, 'files/inter-latin-wght-normal.woff2')],
  ['inter-latin-ext-5.3.0.woff2', join(inter, 'files/inter-latin-ext-wght-normal.woff2')],
  ...[400, 500, 600].map(
    (weight) => [`plex-arabic-${weight}-5.3.0.woff2`, join(arabic, `files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff2`)] as const,
  ),
])
