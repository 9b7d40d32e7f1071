/** Deletes the oldest entries of a map until at most `most` are left. To keep an entry while it is used, delete and set it at each use. */
export function evictOldest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
