/** Keeps at most `most` of a map: those that were set last. Whoever is to stay for being used is deleted and set again at each use. */
export function evictOldest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
