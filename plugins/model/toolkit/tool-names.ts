/** Names that every provider takes: a letter or `_` first, then letters, digits, `_` and `-`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const NAME_MAX = 64
/** Names of properties that every provider takes. */
const KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

/** Names as a provider takes them, by the names that they stand for. No two are alike, and good ones stay as they are. */
function plainNames(names: readonly string[], isGood: (name: string) => boolean, odd: RegExp): ReadonlyMap<string, string> {
  const plain = new Map(names.filter(isGood).map((name) => [name, name]))
  const taken = new Set(plain.keys())
  for (const name of names.filter((one) => !plain.has(one))) {
    const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(odd, '_')
    const base = (/^[A-Za-z_]/.test(ascii) ? ascii : `_${ascii}`).slice(0, NAME_MAX)
    let own = base
    for (let number = 2; taken.has(own); number += 1) own = `${base.slice(0, NAME_MAX - `_${number}`.length)}_${number}`
    taken.add(own)
    plain.set(name, own)
  }
  return plain
}

/** Names of tools as a provider takes them: `3d print` is `_3d_print`. */
export const toolNames = (names: readonly string[]) => plainNames(names, (name) => NAME.test(name), /[^A-Za-z0-9_-]+/g)

/** Names of an object's properties as a provider takes them. */
export const keyNames = (names: readonly string[]) => plainNames(names, (name) => KEY.test(name), /[^A-Za-z0-9_.-]+/g)
