import sys, time
for line in sys.stdin:
    time.sleep(.01)
    print('{"unsupported":"later"}', flush=True)
