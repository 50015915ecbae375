-- The load of wrk: one transfer per request, each with a reference that was never used before.
-- Arguments: the request in the three pieces around its recipient and its reference, and the series. The
-- digits of a reference are series, thread and number, so no two threads and no two loads of one database
-- share any.

local threads = 0

function setup(thread)
  thread:set("thread", threads)
  threads = threads + 1
end

function init(args)
  before, between, after = args[1], args[2], args[3]
  first = tonumber(args[4]) * 1e7 + thread * 1e6
  people = tonumber(args[5])
  number = 0
end

function request()
  number = number + 1
  local person = (number * 2 + thread) % people
  return before .. string.format("%06d", person) .. between .. string.format("%010d", first + number) .. after
end

-- One line of JSON after what wrk prints by itself. An answer above 399 counts as refused.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"answers":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"broken":%d,"late":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.status,
    errors.connect + errors.read + errors.write,
    errors.timeout
  ))
end
