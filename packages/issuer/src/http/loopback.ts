const loopback =
  /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[?(?:::1|::ffff:(?:127(?:\.\d{1,3}){3}|7f[\da-f]{2}:[\da-f]{1,4}))\]?)$/i

/** Whether a host of a URL, or an address, is this machine. */
export const isLoopbackHost = (host: string): boolean => loopback.test(host)
