import { useEffect, useState } from 'preact/hooks'

/** Returns a value once it has stayed the same for some milliseconds. Values are compared by `===`. */
export function useDebounced<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
